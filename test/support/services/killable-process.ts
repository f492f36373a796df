import type { LambdaFunction } from '@player-nfts/local/lambda/lambda-function'
import { startLambdaHost } from '@player-nfts/local/lambda/lambda-host'

/** The first message to the process: the functions to run. */
export type Functions = Record<string, LambdaFunction>

/** A call and its result. */
export interface Call {
  id: number
  functionName: string
  event: unknown
}

// Runs functions in a separate process, for tests that kill it. Ends with the process that started it.
process.once('disconnect', () => process.exit())
process.once('message', (functions: Functions) => {
  const host = startLambdaHost({ functions, log: () => undefined })
  process.on('message', async ({ id, functionName, event }: Call) => {
    process.send?.({ id, result: await host.invoke(functionName, event) })
  })
})
