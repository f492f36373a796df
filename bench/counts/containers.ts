import { type FunctionProcess, startFunctionProcess } from '../function-process.ts'
import type { Operation } from '../scenario/operations.ts'
import type { CallCounts } from '../stubs/call-counter.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'

/** The requests of one operation in a container. */
export async function countsOf(
  { event, isWhole = false }: Operation,
  container: FunctionProcess,
  { counter }: Surroundings,
): Promise<CallCounts> {
  counter.take()
  await container.run([event()], { isWhole })
  return counter.take()
}

/** Starts a container of a function, and ends it afterwards. */
export async function inContainer<Result>(
  functionName: string,
  subjects: Subjects,
  { variables }: Surroundings,
  use: (container: FunctionProcess) => Promise<Result>,
): Promise<Result> {
  const container = await startFunctionProcess(subjectOf(subjects, 'ours', functionName), variables)
  try {
    return await use(container)
  } finally {
    await container.close()
  }
}
