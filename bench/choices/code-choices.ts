import { join } from 'node:path'
import { type Operation, operationsOf, playerNfts } from '../scenario/operations.ts'
import { signIn } from '../scenario/players.ts'
import { seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import { type Comparison, compareRow } from '../side-by-side/side-by-side.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import type { Subject } from '../subjects/bundles.ts'
import { bundleVariant, codeChoices, without } from './variants.ts'

type CodeChoiceTitle = keyof typeof codeChoices

/** An operation as it is, and without one choice of the code (`naive`). */
export interface CodeChoiceEffect {
  title: string
  comparison: Comparison
}

/** What the functions are measured with, and where those without a choice are put. */
interface Workbench {
  outDir: string
  ours: Record<string, Subject>
  surroundings: Surroundings
}

/** Measures an operation with each choice and without it, in turn, on stubs that answer after fixed delays. */
export async function measureCodeChoices(workbench: Workbench): Promise<CodeChoiceEffect[]> {
  const operations = await operationsFor(workbench)
  const effects: CodeChoiceEffect[] = []
  for (const [title, operation] of Object.entries(operations)) {
    effects.push(await measureCodeChoice(title as CodeChoiceTitle, operation, workbench))
  }
  return effects
}

/** Allowlisting 1,000 NFTs, its batches side by side and (`naive`) one after the other. */
export async function measureSequentialWrites(workbench: Workbench): Promise<Comparison> {
  const { allowlist } = await operationsOfOne(workbench)
  const title = 'batches side by side, 40 at once'
  return (await measureCodeChoice(title, allowlist, workbench)).comparison
}

async function measureCodeChoice(
  title: CodeChoiceTitle,
  operation: Operation,
  { outDir, ours, surroundings }: Workbench,
): Promise<CodeChoiceEffect> {
  Object.assign(surroundings.delays, fixedDelays)
  const folder = join(outDir, title.replaceAll(/\W+/g, '-'))
  const variant = await bundleVariant(operation.functionName, folder, without(codeChoices[title]))
  const row = {
    title: operation.title,
    operations: { ours: operation, naive: operation },
    warmUpCalls: 5,
    turns: 21,
    callsPerTurn: 1,
  }
  const naive = { [operation.functionName]: variant }
  return { title, comparison: await compareRow(row, { ours, naive }, surroundings) }
}

/** The operation that shows what a choice of the code buys. */
async function operationsFor(workbench: Workbench): Promise<Record<CodeChoiceTitle, Operation>> {
  const { allowlist, get, tenNfts } = await operationsOfOne(workbench)
  return {
    'batches side by side, 40 at once': allowlist,
    'good API keys are remembered': get,
    'eight sources at once': await eightWallets(workbench),
    'a page is looked through once': await fullPage(workbench),
    'connections are kept': tenNfts,
    'no copies for a log': allowlist,
  }
}

/** The operations of a product with 10,000 allowlisted NFTs, and of a player with one wallet. */
async function operationsOfOne(workbench: Workbench) {
  const scene = await sceneWith(workbench, 1)
  return { ...operationsOf(scene), tenNfts: playerNfts(scene, 10) }
}

async function eightWallets(workbench: Workbench): Promise<Operation> {
  const operation = playerNfts(await sceneWith(workbench, 8), 10)
  return { ...operation, title: "player's NFTs, eight wallets of 10" }
}

const fullPage = async (workbench: Workbench): Promise<Operation> =>
  playerNfts(await sceneWith(workbench, 1, 100), 100)

async function sceneWith({ ours, surroundings }: Workbench, walletCount: number, nfts = 10) {
  const wallets = Array.from({ length: walletCount }, () => newWallet(surroundings, nfts))
  const player = await signIn('ours', { ours, naive: {} }, surroundings, wallets)
  const product = seedProduct('ours', surroundings.table, 10_000)
  return { product, players: new Map([[nfts, player]]) }
}
