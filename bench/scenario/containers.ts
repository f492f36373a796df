import { startFunctionProcess } from '../function-process.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'
import { eventOf, type Sent } from './events.ts'

/** Calls a function that runs already. Returns its answer. Throws if that is not 200. */
// biome-ignore lint/suspicious/noExplicitAny: each function has an answer of its own
export type WarmCall = (sent: Sent) => Promise<any>

/** Starts functions of ours, which end with `ending`: calls by the names that `functions` gives them. */
export async function warmFunctions<Name extends string>(
  subjects: Subjects,
  { variables }: Surroundings,
  ending: AsyncDisposableStack,
  functions: Readonly<Record<Name, string>>,
): Promise<Record<Name, WarmCall>> {
  const calls = Object.entries<string>(functions).map(async ([name, functionName]) => {
    const subject = subjectOf(subjects, 'ours', functionName)
    const running = ending.use(await startFunctionProcess(subject, variables))
    const call: WarmCall = async (sent) => JSON.parse((await running.run([eventOf(sent)])).body)
    return [name, call] as const
  })
  return Object.fromEntries(await Promise.all(calls)) as Record<Name, WarmCall>
}
