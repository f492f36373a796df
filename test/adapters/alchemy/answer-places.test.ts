import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { stubIndexer } from './alchemy-stub.ts'
import { askEvents, entry, rpc } from './rpc-json.ts'

const answer = rpc([entry()])

/** Four calls at once, whose answers the test sends. */
async function fourCalls() {
  const responses: ServerResponse[] = []
  const { chainEvents } = await stubIndexer((response) => responses.push(response))
  const answered: number[] = []
  const calls = [0, 1, 2, 3].map(async () => {
    const events = await askEvents(chainEvents)
    answered.push(events.length)
  })
  await expect.poll(() => responses.length).toBe(4)
  return { responses, answered, calls }
}

/** Lets everything run that does not wait for an answer. */
const settled = () => wait(100)

describe('D152: at most two answers of eth_getLogs are held at once', () => {
  test('a third one waits until one of them is read', async () => {
    const { responses, answered, calls } = await fourCalls()
    const [first, second, ...others] = responses
    for (const response of [first, second]) response?.write(answer.slice(0, 10))
    await settled()
    for (const response of others) response.end(answer)
    await settled()
    expect(answered).toEqual([])
    first?.end(answer.slice(10))
    // The place of the first one is enough for the others, one after the other.
    await expect.poll(() => answered).toEqual([1, 1, 1])
    second?.end(answer.slice(10))
    await Promise.all(calls)
  })

  test('a call whose answer has not begun keeps no other from its own', async () => {
    const { responses, answered, calls } = await fourCalls()
    responses.at(-1)?.end(answer)
    await expect.poll(() => answered).toEqual([1])
    for (const response of responses.slice(0, -1)) response.end(answer)
    await Promise.all(calls)
  })

  test('a call that fails leaves its place, and so does one that waits for it', async () => {
    const responses: ServerResponse[] = []
    const { chainEvents } = await stubIndexer((response) => responses.push(response))
    const failures = [0, 1].map(() => askEvents(chainEvents).catch((error) => error.reason))
    await expect.poll(() => responses.length).toBe(2)
    for (const response of responses) response.write(answer.slice(0, 10))
    await settled()
    const waiting = askEvents(chainEvents, Date.now() + 500).catch((error) => error.reason)
    await expect.poll(() => responses.length).toBe(3)
    responses[2]?.end(answer)
    expect(await waiting).toMatch(/^timed out/)
    for (const response of responses) response.destroy()
    expect(await Promise.all(failures)).toEqual(Array(2).fill('connection lost within an answer'))
    const next = askEvents(chainEvents)
    await expect.poll(() => responses.length).toBe(4)
    responses[3]?.end(answer)
    expect(await next).toHaveLength(1)
  })
})
