import { countsOf, inContainer } from '../counts/containers.ts'
import { followed, kept, remembered } from '../scenario/following.ts'
import { type Operation, playerNfts, type Scene } from '../scenario/operations.ts'
import { signIn } from '../scenario/players.ts'
import { seedProduct } from '../scenario/products.ts'
import { checkKeptMetadata, checkRichMetadata, richMetadata } from '../scenario/rich-metadata.ts'
import { newWallet } from '../scenario/wallets.ts'
import { type Contender, type Measured, measureInTurns } from '../side-by-side/turns.ts'
import type { Capacity } from '../stubs/capacity.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'

/** The ways to read all pages of a large wallet. */
export const largeReadings = ['remembered', 'kept', 'asked'] as const

export type LargeReading = (typeof largeReadings)[number]

/** All pages of a wallet, with the time and memory of each way to read them. */
export interface LargeWallet {
  nfts: number
  measured: Record<LargeReading, Measured>
  /** The request units of DynamoDB for all pages: read from the indexer and kept, and then remembered. */
  units: Record<'kept' | 'remembered', Capacity>
}

/** The wallets by their sizes, and how often each way is measured after its warm-up. */
const wallets = [
  { nfts: 1_000, warmUpCalls: 10, turns: 7, callsPerTurn: 1 },
  { nfts: 10_000, warmUpCalls: 2, turns: 3, callsPerTurn: 1 },
]

/**
 * One size of V8's young generation, in megabytes. It otherwise grows in steps, at other moments in each run, and the peak of a
 * process with it.
 */
const nodeOptions = ['--min-semi-space-size=16', '--max-semi-space-size=16']

/**
 * Measures in turn, on stubs with fixed delays, all pages of wallets with metadata of 1.5 KB, of which every NFT is
 * allowlisted: remembered, read from the indexer and kept, and read in a deployment that remembers nothing.
 */
export async function measureLargeWallets(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<LargeWallet[]> {
  checkRichMetadata()
  Object.assign(surroundings.delays, fixedDelays)
  const measured: LargeWallet[] = []
  for (const { nfts, ...turns } of wallets) {
    const title = `all pages of a wallet of ${nfts.toLocaleString('en')}`
    const contenders = await contendersOf(subjects, surroundings, nfts)
    const units = await unitsOf(contenders.remembered.operation, subjects, followed(surroundings))
    checkKeptMetadata(nfts, units.kept.writeUnits)
    measured.push({ nfts, units, measured: await measureInTurns(title, contenders, turns) })
  }
  return measured
}

/**
 * Counts the units of reading a wallet for the first and for the second time. Another process than those that are measured
 * keeps what is remembered, so that the memory of each process is that of its own reads.
 */
const unitsOf = (operation: Operation, subjects: Subjects, around: Surroundings) =>
  inContainer(operation.functionName, subjects, around, async (container) => {
    const { capacity: kept } = await countsOf(operation, container, around)
    const { capacity: remembered } = await countsOf(operation, container, around)
    return { kept, remembered }
  })

async function contendersOf(
  subjects: Subjects,
  surroundings: Surroundings,
  nfts: number,
): Promise<Record<LargeReading, Contender>> {
  const product = seedProduct(surroundings.table, nfts)
  const around = followed(surroundings)
  const readOf = async (wallet: string) => {
    const player = await signIn(subjects, surroundings, [wallet])
    const players: Scene['players'] = new Map([[nfts, player]])
    return playerNfts({ product, players }, nfts)
  }
  const still = newWallet(surroundings, nfts, nfts, richMetadata)
  const moving = newWallet(surroundings, nfts, nfts, richMetadata)
  const [read, readMoving] = [await readOf(still), await readOf(moving)]
  const subject = subjectOf(subjects, 'ours', read.functionName)
  const ours = { subject, nodeOptions, variables: around.variables }
  return {
    kept: { ...ours, operation: kept(readMoving, around, product, moving) },
    asked: { subject, nodeOptions, variables: surroundings.variables, operation: read },
    // The last to warm up: its first use later than the settling time asks the chain for its blocks, once (D87).
    remembered: { ...ours, operation: remembered(read, around, product) },
  }
}
