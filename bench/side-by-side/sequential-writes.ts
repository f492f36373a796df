import { allowlistAgain } from '../scenario/operations.ts'
import { seedProduct } from '../scenario/products.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { type Comparison, compareRow } from './side-by-side.ts'

/**
 * Compares allowlisting 1,000 NFTs as it is deployed (`ours`) with the same function that sends one
 * batch after the other (`naive`), in turns, on stubs with fixed delays.
 */
export function compareWithSequentialWrites(
  { ours, sequentialAllowlistNfts }: Subjects,
  surroundings: Surroundings,
): Promise<Comparison> {
  Object.assign(surroundings.delays, fixedDelays)
  const allowlist = allowlistAgain(seedProduct('ours', surroundings.table, 10_000))
  const row = {
    title: allowlist.title,
    operations: { ours: allowlist, naive: allowlist },
    warmUpCalls: 5,
    turns: 21,
    callsPerTurn: 1,
  }
  const naive = { [allowlist.functionName]: sequentialAllowlistNfts }
  return compareRow(row, { ours, naive }, surroundings)
}
