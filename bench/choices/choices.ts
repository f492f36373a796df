import { join } from 'node:path'
import type { Rounds } from '../cold-start/cold-start.ts'
import { firstCallsOf } from '../cold-start/first-calls.ts'
import { interleavedSamples, type Sample, type Start } from '../cold-start/samples.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import { bundleSubjects } from '../subjects/bundles.ts'
import { type CodeChoiceEffect, measureCodeChoices } from './code-choices.ts'
import { buildChoices, bundleVariant } from './variants.ts'

/** The cold starts of a function as it is built, and without each of the choices. */
export interface BuildChoices {
  functionName: string
  variants: { title: string; bytes: number; samples: Sample[] }[]
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
  { max }: Rounds,
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
    const samples = await interleavedSamples(starts, max)
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
  return { build, code: await measureCodeChoices({ outDir, ours: subjects.ours, surroundings }) }
}
