import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { InvokeResult, LambdaFunction } from '@player-nfts/local/lambda/lambda-function'
import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import type {
  Invocation,
  SandboxData,
  SandboxMessage,
} from '@player-nfts/local/lambda/sandbox-messages'
import { atFileEnd } from '../vitest/at-file-end.ts'

/**
 * Runs functions like the local Lambda, one call at a time, in containers with a maximum JavaScript
 * heap: a call that needs more fails with `ERR_WORKER_OUT_OF_MEMORY`. Ends with
 * the test file.
 */
export function startLimitedHost(
  functions: Record<string, LambdaFunction>,
  heapMegabytes: number,
): LambdaHost {
  const containers = new Map<string, Promise<Worker>>()
  const close = async () => {
    const workers = await Promise.allSettled(containers.values())
    for (const worker of workers) if (worker.status === 'fulfilled') await worker.value.terminate()
  }
  atFileEnd(close)
  return {
    async invoke(functionName, event) {
      const definition = functions[functionName] as LambdaFunction
      const container =
        containers.get(functionName) ?? startContainer(functionName, definition, heapMegabytes)
      containers.set(functionName, container)
      try {
        return await call(await container, definition, event)
      } catch (error) {
        containers.delete(functionName)
        const { code, message } = error as NodeJS.ErrnoException
        return { ok: false, errorType: code ?? 'Error', message }
      }
    },
    close,
  }
}

async function startContainer(
  functionName: string,
  { file, env }: LambdaFunction,
  maxOldGenerationSizeMb: number,
): Promise<Worker> {
  const workerData: SandboxData = { file, functionName, functionArn: '', memoryMegabytes: 1024 }
  const worker = new Worker(new URL('../../../local/lambda/runtime.mjs', import.meta.url), {
    workerData,
    env,
    execArgv: [],
    stdout: true,
    resourceLimits: { maxOldGenerationSizeMb },
  })
  // The log of the functions is not needed.
  worker.stdout.resume()
  await once(worker, 'message')
  return worker
}

async function call(
  worker: Worker,
  { timeoutSeconds }: LambdaFunction,
  event: unknown,
): Promise<InvokeResult> {
  const answer = once(worker, 'message')
  const deadline = Date.now() + timeoutSeconds * 1000
  const invocation: Invocation = {
    requestId: randomUUID(),
    event: JSON.stringify(event),
    deadline,
  }
  worker.postMessage(invocation)
  const [message] = (await answer) as [Exclude<SandboxMessage, 'ready'>]
  return message.result
}
