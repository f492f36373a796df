import { inContainer } from '../scenario/containers.ts'
import { keepContracts, keeping, keepWallet, kept } from '../scenario/keeping.ts'
import { playerNfts } from '../scenario/operations.ts'
import { signIn } from '../scenario/players.ts'
import { seedNaiveProduct, seedProduct } from '../scenario/products.ts'
import { checkRichMetadata, richMetadata } from '../scenario/rich-metadata.ts'
import { newWallet } from '../scenario/wallets.ts'
import { type Contender, type Measured, measureInTurns } from '../side-by-side/turns.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'

/** The ways to read all pages of a large wallet. */
export const largeReadings = ['kept', 'asked'] as const

export type LargeReading = (typeof largeReadings)[number]

/** All pages of a wallet, with the time and memory of each way to read them. */
export interface LargeWallet {
  nfts: number
  measured: Record<LargeReading, Measured>
}

/** Large wallets, and the naive peer's read of a wallet of which the indexer has one page. */
export interface LargeWallets {
  wallets: LargeWallet[]
  naivePage: Measured
}

/** The wallets by their sizes, and how often each way is measured after its warm-up. */
const sizes = [
  { nfts: 1_000, warmUpCalls: 10, turns: 7, callsPerTurn: 1 },
  { nfts: 10_000, warmUpCalls: 2, turns: 3, callsPerTurn: 1 },
]

/** The NFTs of a page of the indexer. */
const pageSize = 100

/**
 * One size of V8's young generation, in megabytes. It otherwise grows in steps, at other moments in each run, and the peak of a
 * process with it.
 */
const nodeOptions = ['--min-semi-space-size=16', '--max-semi-space-size=16']

/**
 * Measures in turn, on stubs with fixed delays, all pages of wallets with metadata of 1.5 KB, of which every NFT is
 * allowlisted: kept, and read in a deployment that keeps nothing.
 */
export async function measureLargeWallets(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<LargeWallets> {
  checkRichMetadata()
  Object.assign(surroundings.delays, fixedDelays)
  const wallets: LargeWallet[] = []
  for (const { nfts, ...turns } of sizes) {
    const title = `all pages of a wallet of ${nfts.toLocaleString('en')}`
    const contenders = await contendersOf(subjects, surroundings, nfts)
    wallets.push({ nfts, measured: await measureInTurns(title, contenders, turns) })
  }
  return { wallets, naivePage: await measureNaivePage(subjects, surroundings) }
}

async function readOf(subjects: Subjects, surroundings: Surroundings, nfts: number) {
  const wallet = newWallet(surroundings, nfts, richMetadata)
  return { wallet, player: await signIn(subjects, surroundings, [wallet]) }
}

async function contendersOf(
  subjects: Subjects,
  surroundings: Surroundings,
  nfts: number,
): Promise<Record<LargeReading, Contender>> {
  const product = seedProduct(surroundings.table, nfts)
  const around = keeping(surroundings)
  const { wallet, player } = await readOf(subjects, surroundings, nfts)
  keepContracts(surroundings.table, product)
  await keepWallet(surroundings, wallet, nfts)
  const read = playerNfts(product, player)
  const operation = kept(read, around)
  // The first read of all asks for the metadata, and keeps it. Its memory is none of later reads.
  await inContainer(read.functionName, subjects, around, (container) =>
    container.run([operation.event()]),
  )
  const ours = { subject: subjectOf(subjects, 'ours', read.functionName), nodeOptions }
  return {
    kept: { ...ours, variables: around.variables, operation },
    asked: { ...ours, variables: surroundings.variables, operation: read },
  }
}

async function measureNaivePage(subjects: Subjects, surroundings: Surroundings): Promise<Measured> {
  const { table, variables } = surroundings
  const { player } = await readOf(subjects, surroundings, pageSize)
  const operation = playerNfts(seedNaiveProduct(table, pageSize), player)
  const subject = subjectOf(subjects, 'naive', operation.functionName)
  const naive = { subject, nodeOptions, variables, operation }
  const turns = { warmUpCalls: 10, turns: 20, callsPerTurn: 1 }
  return (await measureInTurns('a page', { naive }, turns)).naive
}
