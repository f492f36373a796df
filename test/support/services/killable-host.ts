import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { InvokeResult } from '@player-nfts/local/lambda/lambda-function'
import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import type { Call, Functions } from './killable-process.ts'

/** Lambda in a separate process that can be killed; the next call starts a new process. */
export interface KillableHost extends LambdaHost {
  /** Kills the process as the operating system does when memory is short: running calls fail. */
  kill(): Promise<void>
}

/** Runs functions like startLambdaHost, in a separate process. */
export function startKillableHost(functions: Functions): KillableHost {
  let current: HostProcess | undefined
  const start = () => {
    current ??= startProcess(functions)
    return current
  }
  const kill = async () => {
    const killed = current
    current = undefined
    await killed?.kill()
  }
  return {
    invoke: (functionName, event) => start().invoke(functionName, event),
    kill,
    close: kill,
  }
}

interface HostProcess {
  invoke: LambdaHost['invoke']
  kill(): Promise<void>
}

function startProcess(functions: Functions): HostProcess {
  const child = fork(join(import.meta.dirname, 'killable-process.ts'), { execArgv: [] })
  const exited = once(child, 'exit')
  const calls = new Map<number, (result: InvokeResult) => void>()
  child.on('message', ({ id, result }: { id: number; result: InvokeResult }) => {
    calls.get(id)?.(result)
    calls.delete(id)
  })
  child.once('exit', () => {
    for (const settle of calls.values()) settle(died)
    calls.clear()
  })
  child.send(functions)
  let lastId = 0
  return {
    invoke(functionName, event) {
      if (!child.connected) return Promise.resolve(died)
      const id = ++lastId
      return new Promise((resolve) => {
        calls.set(id, resolve)
        // If the process dies in the meantime, its exit settles the call.
        child.send({ id, functionName, event } satisfies Call, () => undefined)
      })
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const died: InvokeResult = {
  ok: false,
  errorType: 'Runtime.ExitError',
  message: 'Runtime exited with error: signal: killed',
}
