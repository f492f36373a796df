import type { LambdaFunction } from '../../../local/lambda/lambda-function.ts'
import { startLambdaHost } from '../../../local/lambda/lambda-host.ts'

/** What the process is told first: the functions to run. */
export type Functions = Record<string, LambdaFunction>

/** A call, and what came of it. */
export interface Call {
  id: number
  functionName: string
  event: unknown
}

// Runs functions in a process of their own, for tests that kill it; ends with the one that started it.
process.once('disconnect', () => process.exit())
process.once('message', (functions: Functions) => {
  const host = startLambdaHost({ functions, log: () => undefined })
  process.on('message', async ({ id, functionName, event }: Call) => {
    process.send?.({ id, result: await host.invoke(functionName, event) })
  })
})
