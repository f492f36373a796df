// @ts-check
// A function whose clock stands still: the limits of its callers get nothing back while a test runs. This is
// JavaScript, because Node would load its TypeScript transformer into each sandbox.

import { createRequire } from 'node:module'

const { FUNCTION_FILE = '', STILL_TIME } = process.env
const now = Number(STILL_TIME)

globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now] : values, newTarget),
})
Date.now = () => now

const { handler: still } = createRequire(import.meta.url)(FUNCTION_FILE)

/**
 * @param {unknown} event
 * @param {object} context
 */
export const handler = (event, context) =>
  still(event, { ...context, getRemainingTimeInMillis: () => 29_000 })
