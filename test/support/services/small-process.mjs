// @ts-check
// Runs a function once, as the main thread of a process: a worker thread would share the memory of its process. This is
// JavaScript, because Node's TypeScript transformer would count for the memory.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** @typedef {{ file: string, functionName: string, milliseconds: number }} Call */

/** On Linux, `maxRSS` of a new process begins with the memory of the process that has started it. */
function maxMegabytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024
  return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
}

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
  process.send?.({ error, maxMegabytes: maxMegabytes() }, () => process.disconnect())
})
