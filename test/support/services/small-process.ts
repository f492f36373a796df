import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { LambdaFunction } from '@player-nfts/local/lambda/lambda-function'

/** How a function has ended in a process of its own. */
interface Ended {
  /** The error that it threw; absent if it threw none, or if its process has died. */
  error?: string
  /** The most memory that the process has used; absent if it has died. */
  maxMegabytes?: number
  /** The exit code of the process; absent if a signal has ended it. */
  code?: number
  /** What it has written. */
  lines: string[]
}

/**
 * Calls a function in a process of its own, whose JavaScript heap has nine tenths of a memory, as in Lambda. The time of
 * the call is its timeout.
 */
export async function callInSmallProcess(
  functionName: string,
  { file, env, timeoutSeconds }: LambdaFunction,
  megabytes: number,
): Promise<Ended> {
  const heap = Math.floor(0.9 * megabytes)
  const youngHeap = Math.floor(0.05 * megabytes)
  const child = fork(join(import.meta.dirname, 'small-process.mjs'), {
    env: { ...env, AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${megabytes}` },
    execArgv: [`--max-old-space-size=${heap}`, `--max-semi-space-size=${youngHeap}`],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let result: Pick<Ended, 'error' | 'maxMegabytes'> = {}
  child.once('message', (message: typeof result) => {
    result = message
  })
  child.send({ file, functionName, milliseconds: timeoutSeconds * 1_000 })
  const [output, [code]] = await Promise.all([
    text(child.stdout as NonNullable<typeof child.stdout>),
    once(child, 'exit'),
  ])
  return { ...result, ...(code !== null && { code }), lines: output.split('\n').filter(Boolean) }
}
