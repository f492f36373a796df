import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import {
  type Invocation,
  type InvokeResult,
  type LambdaFunction,
  notBegun,
  type SandboxData,
  type SandboxMessage,
} from './lambda-function.ts'

/** An execution environment of a function: a worker thread with its own module graph and environment. */
export type Sandbox = ReturnType<typeof startSandbox>

interface SandboxOptions extends LambdaFunction {
  functionName: string
  log: ((line: string) => void) | undefined
  /** Called once, when the sandbox accepts no more calls: it has ended, or ends after its last call. */
  retired: () => void
  /** Called once, when the worker thread has ended. */
  ended: () => void
}

const memoryMegabytes = 1024

/** Starts a sandbox, which immediately loads the function. */
export function startSandbox(options: SandboxOptions) {
  const { functionName, timeoutSeconds, log } = options
  const worker = startWorker(options)
  const calls = new Map<string, (result: InvokeResult) => void>()
  const ready = Promise.withResolvers<void>()
  let isRetired = false

  const retire = () => {
    if (!isRetired) options.retired()
    isRetired = true
    if (calls.size === 0) void worker.terminate()
  }
  const end = (resultOf: (requestId: string) => InvokeResult) => {
    for (const [requestId, settle] of calls) settle(resultOf(requestId))
    retire()
  }
  // Loading has its own time limit, as in Lambda.
  const loading = setTimeout(
    () => end((requestId) => timedOut(requestId, timeoutSeconds)),
    timeoutSeconds * 1000,
  )

  worker.on('message', (message: SandboxMessage) => {
    if (message !== 'ready') return calls.get(message.requestId)?.(message.result)
    clearTimeout(loading)
    ready.resolve()
  })
  worker.on('error', (error) => {
    const { errorType, message } = describe(error)
    report(log, `${functionName} crashed: ${error instanceof Error ? error.stack : message}`)
    end(() => ({ ok: false, errorType, message }))
  })
  worker.on('exit', (code) => {
    clearTimeout(loading)
    end((requestId) => exited(requestId, code))
    options.ended()
  })

  /** Calls the function with an event, as JSON, in the time until its timeout or `until`. Never rejects. */
  const invoke = (event: string, until = Number.POSITIVE_INFINITY) =>
    new Promise<InvokeResult>((resolve) => {
      const requestId = randomUUID()
      let timer = Number.isFinite(until) ? at(until, () => settle(notBegun)) : undefined
      const settle = (result: InvokeResult) => {
        clearTimeout(timer)
        calls.delete(requestId)
        resolve(result)
        if (isRetired) retire()
      }
      calls.set(requestId, settle)
      void ready.promise.then(() => {
        if (!calls.has(requestId)) return
        clearTimeout(timer)
        const begunAt = Date.now()
        const deadline = Math.min(begunAt + timeoutSeconds * 1000, until)
        timer = at(deadline, () => {
          settle(timedOut(requestId, (deadline - begunAt) / 1000))
          // Lambda ends the sandbox after a timeout. Here, other calls may be in progress in it.
          retire()
        })
        worker.postMessage({ requestId, event, deadline } satisfies Invocation)
      })
    })
  /** Ends the sandbox at once. Calls in progress fail. */
  const close = async () => void (await worker.terminate())
  return { invoke, close }
}

const at = (time: number, run: () => void): NodeJS.Timeout =>
  setTimeout(run, Math.max(0, time - Date.now()))

function startWorker({ functionName, file, env, log, heapMegabytes }: SandboxOptions): Worker {
  const { AWS_REGION: region = 'us-east-1' } = env
  const workerData: SandboxData = {
    file,
    functionName,
    functionArn: `arn:aws:lambda:${region}:000000000000:function:${functionName}`,
    memoryMegabytes,
  }
  const worker = new Worker(new URL('./runtime.mjs', import.meta.url), {
    name: functionName,
    workerData,
    // https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
    env: {
      ...env,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_NAME: functionName,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    },
    execArgv: [],
    resourceLimits: heapMegabytes ? { maxOldGenerationSizeMb: heapMegabytes } : {},
    stdout: log !== undefined,
    stderr: log !== undefined,
  })
  if (log) {
    for (const input of [worker.stdout, worker.stderr]) createInterface({ input }).on('line', log)
  }
  return worker
}

function describe(error: unknown): { errorType: string; message: string } {
  if (!(error instanceof Error)) return { errorType: typeof error, message: String(error) }
  const missing = 'code' in error && error.code === 'MODULE_NOT_FOUND'
  return { errorType: missing ? 'Runtime.ImportModuleError' : error.name, message: error.message }
}

function report(log: SandboxOptions['log'], text: string): void {
  for (const line of text.split('\n')) (log ?? console.error)(line)
}

const timedOut = (requestId: string, timeoutSeconds: number): InvokeResult => ({
  ok: false,
  errorType: 'Sandbox.Timedout',
  message: `RequestId: ${requestId} Error: Task timed out after ${timeoutSeconds.toFixed(2)} seconds`,
})

const exited = (requestId: string, code: number): InvokeResult => ({
  ok: false,
  errorType: 'Runtime.ExitError',
  message: `RequestId: ${requestId} Error: Runtime exited ${
    code === 0 ? 'without providing a reason' : `with error: exit status ${code}`
  }`,
})
