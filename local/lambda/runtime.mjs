// @ts-check
// This is JavaScript, because Node would load its TypeScript transformer into each sandbox, which doubles
// the start time of a sandbox.

import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

/** @import { Context } from 'aws-lambda' */
/** @import { InvokeResult, Invocation, SandboxData, SandboxMessage } from './lambda-function.ts' */

/** The largest response, in bytes of JSON. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxResponseBytes = 6_291_556

// The clock of the runtime is not the one of the function, which can set its own.
const { now } = Date
const port = parentPort
/** @type {SandboxData} */
const data = workerData
// The host receives an error from here on as this worker's `error` event.
const handler = load(data.file)
port?.on('message', async (/** @type {Invocation} */ invocation) => {
  // A call that computes keeps the others waiting, and the host gives them up meanwhile.
  if (now() >= invocation.deadline) return
  const result = await call(invocation)
  send({ requestId: invocation.requestId, result })
})
send('ready')

/** @param {SandboxMessage} message */
function send(message) {
  port?.postMessage(message)
}

/**
 * @param {string} file
 * @returns {(event: unknown, context: Context) => unknown}
 */
function load(file) {
  const { handler } = createRequire(import.meta.url)(file)
  if (typeof handler !== 'function') {
    const error = new Error(`${file} exports no function named handler`)
    error.name = 'Runtime.HandlerNotFound'
    throw error
  }
  return handler
}

/**
 * @param {Invocation} invocation
 * @returns {Promise<InvokeResult>}
 */
async function call(invocation) {
  let response
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

/**
 * @param {Invocation} invocation
 * @param {unknown} error
 */
function failure({ requestId }, error) {
  const isError = error instanceof Error
  const errorType = isError ? error.name : typeof error
  const message = isError ? error.message : String(error)
  const stack = isError ? error.stack?.split('\n') : []
  const report = JSON.stringify({ errorType, errorMessage: message, stack })
  console.error(`${requestId} ERROR Invoke Error ${report}`)
  return failed(errorType, message)
}

/**
 * @param {string} errorType
 * @param {string} message
 * @returns {InvokeResult}
 */
function failed(errorType, message) {
  return { ok: false, errorType, message }
}

/** @param {Invocation} invocation */
function contextOf({ requestId, deadline }) {
  return /** @type {Context} */ ({
    awsRequestId: requestId,
    functionName: data.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: data.functionArn,
    memoryLimitInMB: String(data.memoryMegabytes),
    logGroupName: `/aws/lambda/${data.functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - now()),
  })
}
