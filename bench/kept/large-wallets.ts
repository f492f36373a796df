import { startFunctionProcess } from '../function-process.ts'
import { atMost, type Budget, fixed, ratioText } from '../report.ts'
import { keepContract, keeping, keepWallet, kept } from '../scenario/keeping.ts'
import { playerNfts } from '../scenario/operations.ts'
import { newWallet, signIn } from '../scenario/players.ts'
import { seedNaiveProduct, seedProduct } from '../scenario/products.ts'
import { richMetadata } from '../scenario/rich-metadata.ts'
import { type Contender, type Measured, measureInTurns } from '../side-by-side/turns.ts'
import { spreadOf } from '../statistics.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'

/** The longest time of all pages, as a multiple of that of asking; of a page, as a multiple of a naive page; and the most memory, a part
 * of the 1,024 MB of the function. */
const timeLimit = 0.08
const pageLimit = 1.5
const megabytesLimit = 300

/** The wallets by their sizes, and how often each way is measured after its warm-up. */
const sizes = [
  { nfts: 1_000, warmUpCalls: 10, turns: 7, callsPerTurn: 1 },
  { nfts: 10_000, warmUpCalls: 2, turns: 3, callsPerTurn: 1 },
]

/** The NFTs of a page of the indexer. */
const pageSize = 100

/**
 * One size of V8's young generation, in megabytes. It otherwise grows at other moments in each run, and the peak with
 * it.
 */
const nodeOptions = ['--min-semi-space-size=16', '--max-semi-space-size=16']

/**
 * The budgets of reading all pages of wallets with metadata of 1.5 KB, of which every NFT is allowlisted, on stubs with fixed
 * delays: kept, in turn with a deployment that keeps nothing. A page is compared with the naive peer's read of a wallet of one page.
 */
export async function measureLargeWallets(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<Budget[]> {
  Object.assign(surroundings.delays, fixedDelays)
  const naivePage = await measureNaivePage(subjects, surroundings)
  const budgets: Budget[] = []
  for (const { nfts, ...turns } of sizes) {
    const title = `all pages of a wallet of ${nfts.toLocaleString('en')}, kept`
    const contenders = await contendersOf(subjects, surroundings, nfts)
    const measured = await measureInTurns(title, contenders, turns)
    budgets.push(...budgetsOf(title, measured, naivePage))
  }
  return budgets
}

function budgetsOf(
  title: string,
  { kept, fromIndexer }: Record<'kept' | 'fromIndexer', Measured>,
  naivePage: Measured,
): Budget[] {
  const ratio = spreadOf(
    kept.milliseconds.map((time, turn) => time / (fromIndexer.milliseconds[turn] ?? Number.NaN)),
  )
  const page = kept.slowestMilliseconds / naivePage.p50
  const slowest = `${fixed(page, 2)}: ${fixed(kept.slowestMilliseconds)} ms`
  const megabytes = kept.memoryMegabytes
  const both = `${fixed(megabytes)} MB; asking ${fixed(fromIndexer.memoryMegabytes)} MB`
  return [
    atMost(`${title}: time`, ratio.median, [timeLimit, '× asking'], ratioText(ratio)),
    atMost(`${title}: slowest page`, page, [pageLimit, '× a naive page'], slowest),
    atMost(`${title}: memory`, megabytes, [megabytesLimit, 'MB'], both),
  ]
}

async function readOf(subjects: Subjects, surroundings: Surroundings, nfts: number) {
  const wallet = newWallet(surroundings, nfts, richMetadata)
  return { wallet, player: await signIn(subjects, surroundings, [wallet]) }
}

async function contendersOf(
  subjects: Subjects,
  surroundings: Surroundings,
  nfts: number,
): Promise<Record<'kept' | 'fromIndexer', Contender>> {
  const product = seedProduct(surroundings.table, nfts)
  const around = keeping(surroundings)
  const { wallet, player } = await readOf(subjects, surroundings, nfts)
  keepContract(surroundings.table)
  await keepWallet(surroundings, wallet, nfts)
  const read = playerNfts(product, player)
  const operation = kept(read, around)
  // The first read of all asks for the metadata, and keeps it. Its memory is none of later reads.
  const subject = subjectOf(subjects, 'ours', read.functionName)
  await using container = await startFunctionProcess(subject, around.variables)
  await container.run([operation.event()])
  const ours = { subject, nodeOptions }
  return {
    kept: { ...ours, variables: around.variables, operation },
    fromIndexer: { ...ours, variables: surroundings.variables, operation: read },
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
