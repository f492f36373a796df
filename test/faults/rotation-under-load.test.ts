import { afterAll, describe, expect, test } from 'vitest'
import type { Received } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startKillableHost } from '../support/services/killable-host.ts'
import { startOwnService } from '../support/services/own-service.ts'

const service = await startOwnService({}, afterAll)

/** Three processes, each with containers of its own. */
const processes = [0, 1, 2].map(() => {
  const host = startKillableHost(service.stack.functions)
  afterAll(() => host.close())
  return host
})

/** A call, and the times at which it was sent and answered: the clock is that of the service. */
interface Timed {
  process: number
  sentAt: number
  answeredAt: number
  answer: Received
}

const callsPerSecond = 100

/** Sends calls at a rate, in turn to all processes and with all keys, until there are enough. */
async function load(keys: readonly string[], isEnough: (calls: number) => boolean) {
  const calls = new Map<string, Promise<Timed>[]>(keys.map((apiKey) => [apiKey, []]))
  const startedAt = Date.now()
  const send = async (process: number, apiKey: string): Promise<Timed> => {
    const sentAt = Date.now()
    const host = processes[process] as (typeof processes)[number]
    const answer = await invokeFunction(host, 'getProduct', { apiKey })
    return { process, sentAt, answeredAt: Date.now(), answer }
  }
  for (let count = 0; !isEnough(count); count += 1) {
    const apiKey = keys[count % keys.length] as string
    const process = Math.floor(count / keys.length) % processes.length
    calls.get(apiKey)?.push(send(process, apiKey))
    const due = startedAt + ((count + 1) * 1000) / callsPerSecond
    await new Promise((done) => setTimeout(done, Math.max(0, due - Date.now())))
  }
  const answered = [...calls].map(
    async ([apiKey, sent]) => [apiKey, await Promise.all(sent)] as const,
  )
  return new Map(await Promise.all(answered))
}

/** A product whose keys every process has used already. */
async function newProduct() {
  const apiKey = await service.newProduct()
  const keys = keysOf(service.call, apiKey)
  const [registration] = await keys.list()
  await load([apiKey], (calls) => calls === processes.length)
  return { apiKey, keyId: registration?.keyId ?? '' }
}

const rotate = async (apiKey: string, keyId: string, overlapSeconds: number) => {
  const sent = { apiKey, path: { keyId }, body: { overlapSeconds } }
  const [host] = processes as [(typeof processes)[number]]
  return keyIn(await invokeFunction(host, 'rotateKey', sent))
}

/** Each process has to have received some of these calls. */
const expectEachProcess = (calls: readonly Timed[]) =>
  expect(new Set(calls.map(({ process }) => process))).toEqual(new Set([0, 1, 2]))

const expectAccepted = (calls: readonly Timed[]) => {
  expectEachProcess(calls)
  for (const { answer } of calls) expect(answer.status, answer.text).toBe(200)
}

const expectRefused = (calls: readonly Timed[]) => {
  expectEachProcess(calls)
  for (const { answer } of calls) expectProblem(answer, 'invalid_api_key')
}

describe('D46: rotating a key under 100 calls a second through both keys, in three processes', () => {
  test('D46: no call is refused inside the overlap, and none is accepted after it', async () => {
    const { apiKey, keyId } = await newProduct()
    let isRotated = false
    const before = load([apiKey], () => isRotated)
    const added = await rotate(apiKey, keyId, 4)
    isRotated = true
    const list = await keysOf(service.call, added.apiKey).list()
    const end = Date.parse(list.find((key) => key.keyId === keyId)?.expiresAt ?? '')
    let callsAfter = 0
    const calls = await load([apiKey, added.apiKey], () => {
      if (Date.now() >= end) callsAfter += 1
      return callsAfter > callsPerSecond
    })
    const old = [...((await before).get(apiKey) ?? []), ...(calls.get(apiKey) ?? [])]
    // The key ends between the request and the answer of the other calls, so that both results are right.
    expectAccepted(old.filter(({ answeredAt }) => answeredAt < end))
    expectRefused(old.filter(({ sentAt }) => sentAt >= end))
    expectAccepted(calls.get(added.apiKey) ?? [])
  })

  test('D46: without an overlap, no call with the old key is accepted after the answer of the rotation', async () => {
    const { apiKey, keyId } = await newProduct()
    let callsAfter = 0
    let rotatedAt = Number.POSITIVE_INFINITY
    const { promise: isUnderLoad, resolve } = Promise.withResolvers<void>()
    const calls = load([apiKey], (count) => {
      if (count === callsPerSecond) resolve()
      if (Date.now() > rotatedAt) callsAfter += 1
      return callsAfter > callsPerSecond
    })
    await isUnderLoad
    const startedAt = Date.now()
    const added = await rotate(apiKey, keyId, 0)
    rotatedAt = Date.now()
    const withNewKey = await load([added.apiKey], (count) => count === callsPerSecond)
    const old = (await calls).get(apiKey) ?? []
    expectAccepted(old.filter(({ answeredAt }) => answeredAt < startedAt))
    expectRefused(old.filter(({ sentAt }) => sentAt > rotatedAt))
    expectAccepted(withNewKey.get(added.apiKey) ?? [])
  })
})
