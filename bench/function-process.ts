import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Subject } from './subjects/bundles.ts'

/** One operation: a request and the requests for all further pages. */
interface OperationRun {
  milliseconds: number
  /** The duration of its slowest request. */
  slowestMilliseconds: number
  statusCodes: number[]
  /** The number of NFTs in all responses. */
  entries: number
}

export interface Run {
  /** The duration of all operations. */
  milliseconds: number
  /** The processor time of all operations, including garbage collection. */
  cpuMilliseconds: number
  /** The peak memory of the process so far. */
  peakMegabytes: number
  operations: OperationRun[]
  /** The last response; `''` if it is long. */
  body: string
}

/** A function in its own process, as in Lambda. */
export type FunctionProcess = Awaited<ReturnType<typeof startFunctionProcess>>

const maxRunMilliseconds = 600_000

/** `nodeOptions` are command-line options of Node.js (default none). */
export async function startFunctionProcess(
  { load, file }: Subject,
  variables: Record<string, string>,
  nodeOptions: readonly string[] = [],
) {
  const child = fork(join(import.meta.dirname, 'function-process.mjs'), [load, file], {
    env: variables,
    execArgv: [...nodeOptions],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await message(child)
  return {
    /** Carries out operations, one after the other. Throws if a response is not 200. */
    async run(events: readonly unknown[]): Promise<Run> {
      child.send({ events })
      const run = (await message(child)) as Run
      const refused = run.operations.flatMap(({ statusCodes }) => statusCodes).find(isNoSuccess)
      if (refused) throw new Error(`${file} answered ${refused}: ${run.body}`)
      return run
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

const isNoSuccess = (statusCode: number) => statusCode !== 200

async function message(child: ChildProcess): Promise<unknown> {
  const timeout = AbortSignal.timeout(maxRunMilliseconds)
  const ended = new AbortController()
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code, signal]) => {
    throw new Error(`a function's process ended (${code ?? signal})`)
  })
  try {
    const [answer] = await Promise.race([once(child, 'message', { signal: timeout }), exit])
    return answer
  } finally {
    exit.catch(() => undefined)
    ended.abort()
  }
}
