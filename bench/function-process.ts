import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Subject } from './subjects/bundles.ts'

/** One operation: a request or, for a whole one, all those that its answers' cursors lead to. */
export interface CarriedOut {
  milliseconds: number
  statusCodes: number[]
  /** The size of the largest answer. */
  bytes: number
  /** How many NFTs were answered. */
  entries: number
}

/** What came of some operations. */
export interface Run {
  /** How long all of them took. */
  milliseconds: number
  /** The processor time that all of them took, garbage collection included. */
  cpuMilliseconds: number
  /** The most memory that the process had up to the end of them. */
  peakMegabytes: number
  operations: CarriedOut[]
  /** The last answer; `''` if it is long. */
  body: string
}

/** A function in a process of its own, as Lambda gives it one. */
export interface FunctionProcess {
  /**
   * Carries operations out, one after the other or so many at the same time, whole unless told otherwise.
   * Throws if one is refused.
   */
  run(events: readonly unknown[], options?: { atOnce?: number; isWhole?: boolean }): Promise<Run>
  close(): Promise<void>
}

/** The longest that a run may take, in milliseconds. */
const maxRunMilliseconds = 120_000

export async function startFunctionProcess(
  { load, file }: Subject,
  variables: Record<string, string>,
): Promise<FunctionProcess> {
  const child = fork(join(import.meta.dirname, 'function-process.mjs'), [load, file], {
    env: variables,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await message(child)
  return {
    async run(events, { atOnce = 1, isWhole = true } = {}) {
      child.send({ events, atOnce, isWhole })
      const run = (await message(child)) as Run
      const refused = run.operations.flatMap(({ statusCodes }) => statusCodes).find(isNoSuccess)
      if (refused) throw new Error(`${file} answered ${refused}: ${run.body}`)
      return run
    },
    async close() {
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
