import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { Context } from 'aws-lambda'
import type { InvokeResult } from './lambda-host.ts'

/** What a sandbox is started with. */
export interface SandboxData {
  file: string
  functionName: string
  functionArn: string
  memoryMegabytes: number
}

/** One call, on its way into the sandbox. */
export interface Invocation {
  requestId: string
  /** The event, as JSON. */
  event: string
  /** When the call times out, in milliseconds since 1970. */
  deadline: number
}

/** What comes out of the sandbox: `ready` once, when the function is loaded, then a result for each call. */
export type SandboxMessage = 'ready' | { requestId: string; result: InvokeResult }

/** The largest response, in bytes of JSON. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxResponseBytes = 6_291_556

type Handler = (event: unknown, context: Context) => unknown

const port = parentPort
const data: SandboxData = workerData
// What goes wrong from here on reaches the host as this worker's `error`.
const handler = load(data.file)
port?.on('message', async (invocation: Invocation) => {
  const result = await call(invocation)
  port.postMessage({ requestId: invocation.requestId, result } satisfies SandboxMessage)
})
port?.postMessage('ready' satisfies SandboxMessage)

function load(file: string): Handler {
  const { handler } = createRequire(import.meta.url)(file)
  if (typeof handler !== 'function') {
    const error = new Error(`${file} exports no function named handler`)
    error.name = 'Runtime.HandlerNotFound'
    throw error
  }
  return handler
}

async function call(invocation: Invocation): Promise<InvokeResult> {
  let response: unknown
  try {
    response = await handler(JSON.parse(invocation.event), contextOf(invocation))
  } catch (error) {
    return failure(invocation, error)
  }
  try {
    const payload = JSON.stringify(response) ?? 'null'
    if (Buffer.byteLength(payload) <= maxResponseBytes) return { ok: true, payload }
  } catch {
    return failed('Runtime.MarshalError', 'Unable to stringify response body')
  }
  return failed(
    'Function.ResponseSizeTooLarge',
    `Response payload size exceeded maximum allowed payload size (${maxResponseBytes} bytes).`,
  )
}

function failure({ requestId }: Invocation, error: unknown): InvokeResult {
  const isError = error instanceof Error
  const errorType = isError ? error.name : typeof error
  const message = isError ? error.message : String(error)
  const stack = isError ? error.stack?.split('\n') : []
  const report = JSON.stringify({ errorType, errorMessage: message, stack })
  console.error(`${requestId} ERROR Invoke Error ${report}`)
  return failed(errorType, message)
}

const failed = (errorType: string, message: string): InvokeResult => ({
  ok: false,
  errorType,
  message,
})

const contextOf = ({ requestId, deadline }: Invocation) =>
  ({
    awsRequestId: requestId,
    functionName: data.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: data.functionArn,
    memoryLimitInMB: String(data.memoryMegabytes),
    logGroupName: `/aws/lambda/${data.functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  }) as Context
