import { atMost, type Budget, ratioText } from '../report.ts'
import { eventOf } from '../scenario/events.ts'
import type { Operation } from '../scenario/operations.ts'
import { chain, collection, seedProduct, tokenIds } from '../scenario/products.ts'
import { spreadOf } from '../statistics.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'
import { measureInTurns } from './turns.ts'

const maxOfSequential = 0.25

/** The budget of allowlisting 1,000 NFTs, relative to the same function that sends one batch after the other. */
export async function measureAllowlisting(
  subjects: Subjects,
  { table, delays, variables }: Surroundings,
): Promise<Budget[]> {
  Object.assign(delays, fixedDelays)
  // The NFTs are on the allowlist already.
  const { apiKey, restore } = seedProduct(table, 10_000)
  const contractDescription = 'The keepers of the lamps.'
  const body = { chain, contractAddress: collection, contractDescription, tokens: tokenIds(1_000) }
  const event = () => eventOf({ apiKey, body })
  const operation: Operation = { functionName: 'allowlist-nfts', event, restore }
  const deployed = subjectOf(subjects, 'ours', operation.functionName)
  const contenders = {
    deployed: { subject: deployed, variables, operation },
    sequential: { subject: subjects.sequentialAllowlistNfts, variables, operation },
  }
  const turns = { warmUpCalls: 5, turns: 21, callsPerTurn: 1 }
  const title = 'allowlist 1,000 NFTs'
  const measured = await measureInTurns(title, contenders, turns)
  const [times, others] = [measured.deployed.milliseconds, measured.sequential.milliseconds]
  const spread = spreadOf(times.map((time, turn) => time / (others[turn] ?? Number.NaN)))
  const limit = [maxOfSequential, '× sequential'] as const
  return [atMost(`${title}: time`, spread.median, limit, ratioText(spread))]
}
