import { join } from 'node:path'
import type { Rounds } from '../cold-start/cold-start.ts'
import { firstCallsOf } from '../cold-start/first-calls.ts'
import { interleavedSamples, type Sample, type Start } from '../cold-start/samples.ts'
import { type Operation, operationsOf, playerNfts } from '../scenario/operations.ts'
import { signIn } from '../scenario/players.ts'
import { seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import { type Comparison, compareRow } from '../side-by-side/side-by-side.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import { bundleSubjects, type Subject } from '../subjects/bundles.ts'
import { buildChoices, bundleVariant, codeChoices, without } from './variants.ts'

/** The cold starts of a function as it is built, and without each of the choices. */
export interface BuildChoices {
  functionName: string
  variants: { title: string; bytes: number; samples: Sample[] }[]
}

/** An operation as it is, and without one choice of the code (`naive`). */
export interface CodeChoiceEffect {
  title: string
  comparison: Comparison
}

/** What each choice of the build and of the code bought. */
export interface Choices {
  build: BuildChoices[]
  code: CodeChoiceEffect[]
}

/** What the build's choices are measured on: the smallest kind of function, and the largest. */
const coldStarted = ['get-product', 'get-raw-metadata'] as const

/** The title of what is measured with every choice made. */
export const asItIs = 'as it is'

/** Measures our functions without each choice, one at a time, in turn with the functions as they are. */
export async function measureChoices(
  outDir: string,
  surroundings: Surroundings,
  { min, tries }: Rounds,
): Promise<Choices> {
  const subjects = await bundleSubjects(join(outDir, 'subjects'))
  const { ours: calls } = await firstCallsOf(subjects, surroundings)
  const { variables } = surroundings
  const build: BuildChoices[] = []
  for (const functionName of coldStarted) {
    const starts = new Map<string, Start>()
    for (const [title, changes] of Object.entries({ [asItIs]: {}, ...buildChoices })) {
      const folder = join(outDir, title.replaceAll(/\W+/g, '-'))
      const subject = await bundleVariant(functionName, folder, changes)
      const call = calls[functionName]
      starts.set(title, { subject, variables, event: call?.event, prepare: () => call?.prepare() })
    }
    const samples = await interleavedSamples(starts, min, tries)
    const variants = [...starts].map(
      ([
        title,
        {
          subject: { bytes },
        },
      ]) => ({
        title,
        bytes,
        samples: samples.get(title) ?? [],
      }),
    )
    build.push({ functionName, variants })
  }
  return { build, code: await measureCodeChoices(outDir, subjects.ours, surroundings) }
}

async function measureCodeChoices(
  outDir: string,
  ours: Record<string, Subject>,
  surroundings: Surroundings,
): Promise<CodeChoiceEffect[]> {
  const operations = await operationsFor(ours, surroundings)
  Object.assign(surroundings.delays, fixedDelays)
  const effects: CodeChoiceEffect[] = []
  for (const [title, choice] of Object.entries(codeChoices)) {
    const operation = operations[title as keyof typeof codeChoices]
    const folder = join(outDir, title.replaceAll(/\W+/g, '-'))
    const variant = await bundleVariant(operation.functionName, folder, without(choice))
    const row = {
      id: title,
      title: operation.title,
      operations: { ours: operation, naive: operation },
      turns: 21,
      callsPerTurn: 1,
    }
    const naive = { [operation.functionName]: variant }
    effects.push({ title, comparison: await compareRow(row, { ours, naive }, surroundings) })
  }
  return effects
}

/** The operation that shows what a choice of the code buys. */
async function operationsFor(
  ours: Record<string, Subject>,
  surroundings: Surroundings,
): Promise<Record<keyof typeof codeChoices, Operation>> {
  const product = seedProduct('ours', surroundings.table, 10_000)
  const signInWith = (wallets: number) =>
    signIn(
      'ours',
      { ours, naive: {} },
      surroundings,
      Array.from({ length: wallets }, () => newWallet(surroundings, 10)),
    )
  const players = new Map([[10, await signInWith(1)]])
  const ofEight = new Map([[10, await signInWith(8)]])
  const { allowlist, get } = operationsOf({ product, players })
  const eightWallets = playerNfts({ product, players: ofEight }, 10)
  return {
    'batches side by side, 40 at once': allowlist,
    'good API keys are remembered': get,
    'eight sources at once': { ...eightWallets, title: "player's NFTs, eight wallets of 10" },
    'connections are kept': playerNfts({ product, players }, 10),
    'no copies for a log': allowlist,
  }
}
