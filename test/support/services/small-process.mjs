// @ts-check
// Runs a function once, as the main thread of a process: a worker thread would share the memory of its process. This is
// JavaScript, because Node's TypeScript transformer would count for the memory.

import { createRequire } from 'node:module'

/** @typedef {{ file: string, functionName: string, milliseconds: number }} Call */

process.once('message', async (/** @type {Call} */ call) => {
  const deadline = Date.now() + call.milliseconds
  const { handler } = createRequire(import.meta.url)(call.file)
  const context = {
    ...{ awsRequestId: 'alone', functionName: call.functionName, functionVersion: '$LATEST' },
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  }
  const error = await handler({}, context).then(
    () => undefined,
    (/** @type {unknown} */ reason) => String(reason),
  )
  process.send?.({ error }, () => process.disconnect())
})
