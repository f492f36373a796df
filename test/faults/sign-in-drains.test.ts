import { deploymentLimits } from '@player-nfts/local/deployment-limits'
import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { type Call, clientOf, type Received, type Sent } from '../support/requests/client.ts'
import { startGatewayOver, withStillClock } from '../support/services/containers.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { edgeSecret, from } from '../support/services/limited-caller.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { signInCalls } from '../support/sign-in/sign-in-calls.ts'

const service = await startCountedService()
const { stack } = service
const { newGame } = signInCalls(service)

/** Later than every session of the service, and in another hour for each test, so that limits are whole. */
let hours = 0

/** Calls of three containers in turn, with the limits of a deployment and a clock that stands still. */
async function limitedCall(): Promise<Call> {
  hours += 1
  const variables = { ...deploymentLimits, EDGE_SECRETS: edgeSecret }
  const functions = withStillClock(service.functionsWith(variables), Date.now() + hours * 3_600_000)
  const urls = await Promise.all(numbers(1, 3).map(() => startGatewayOver(functions)))
  const clients = urls.map(clientOf)
  let calls = 0
  return async (...request) => {
    calls += 1
    return await (clients[calls % clients.length] as Call)(...request)
  }
}

const at = (address: string, sent: Sent = {}): Sent => {
  const { headers } = from(address)
  return { ...sent, headers: { ...headers, ...sent.headers } }
}

/** Makes a call so often, 20 of them at a time. Returns how often each status was the answer, and the limit that refused. */
async function repeat(count: number, call: () => Promise<Received>) {
  const statuses: Record<number, number> = {}
  let limit: string | undefined
  const worker = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      const { status, json } = await call()
      statuses[status] = (statuses[status] ?? 0) + 1
      limit ??= json.limit?.name
    }
  }
  await Promise.all(numbers(1, 20).map(() => worker(count / 20)))
  return { statuses, limit }
}

/** A sign-in on the page, by default of a new wallet. */
const signIn =
  (call: Call, address: string, { account = newAccount, headers = {} } = {}) =>
  async (): Promise<Received> => {
    const { sign } = signInCalls({ call, stack })
    const body = await sign(account(), {})
    return await call('POST /login', at(address, { body, headers }))
  }

const foreignPage = { origin: 'https://evil.example' }

describe('D107: at its own number each limit by address ends, and a neighbour signs in at full rate', {
  timeout: 300_000,
}, () => {
  test('D140: 5,000 junk bodies and 5,000 replays, and then a valid proof', async () => {
    const call = await limitedCall()
    const { countsOf } = service
    const junk = () =>
      call('POST /login', at('192.0.2.1', { body: { message: 'any', signature: '0x' } }))
    const { sign } = signInCalls({ call, stack })
    const body = await sign(newAccount(), {})
    const replay = () => call('POST /login', at('192.0.2.1', { body }))
    expect((await replay()).status).toBe(200)
    // One after the other until the limit: at the same time, the first ones can be written again.
    const first = await countsOf(async () => {
      for (const _ of numbers(1, 60)) expect((await junk()).status).toBe(400)
    })
    expect(first).toEqual({ GetItem: 60, UpdateItem: 60 })
    const rest = await countsOf(async () => {
      expect(await repeat(4_940, junk)).toEqual({
        ...{ statuses: { 429: 4_940 }, limit: 'refused_sign_ins_by_address' },
      })
    })
    expect(rest).toEqual({ GetItem: 4_940 })
    const replays = await countsOf(async () => {
      expect(await repeat(5_000, replay)).toEqual({
        ...{ statuses: { 429: 5_000 }, limit: 'refused_sign_ins_by_address' },
      })
    })
    // Who has the wallet, what is left to the network and to all, and whether the network has a refusal left.
    expect(replays).toEqual({ GetItem: 20_000, PutItem: 5_000 })
    expect((await signIn(call, '192.0.2.1')()).status).toBe(200)
  })

  test('D107, D140: new wallets, and then known ones', async () => {
    const call = await limitedCall()
    const known = newAccount()
    const ofKnown = { account: () => known }
    expect((await signIn(call, '203.0.113.1', ofKnown)()).status).toBe(200)
    const [drain, neighbour] = await Promise.all([
      repeat(400, signIn(call, '192.0.2.1')),
      repeat(300, signIn(call, '198.51.100.7')),
    ])
    const limit = 'new_wallets_by_address'
    expect(drain).toEqual({ statuses: { 200: 300, 429: 100 }, limit })
    expect(neighbour.statuses).toEqual({ 200: 300 })
    const byPage = { ...ofKnown, headers: foreignPage }
    expect(await repeat(20, signIn(call, '192.0.2.1', byPage))).toEqual({
      ...{ statuses: { 429: 20 }, limit },
    })
    expect(await repeat(400, signIn(call, '192.0.2.1', ofKnown))).toEqual({
      ...{ statuses: { 200: 300, 429: 100 }, limit: 'sign_ins_by_address' },
    })
  })

  test('D107, D140: codes for devices, of foreign pages and then of programs', async () => {
    const call = await limitedCall()
    const { productId } = await newGame()
    const ask =
      (address: string, headers = {}) =>
      () =>
        call('POST /device/authorization', at(address, { headers, form: { client_id: productId } }))
    expect(await repeat(300, ask('192.0.2.1', foreignPage))).toEqual({
      ...{ statuses: { 200: 200, 429: 100 }, limit: 'device_codes_of_pages_by_address' },
    })
    const [drain, neighbour] = await Promise.all([
      repeat(300, ask('192.0.2.1')),
      repeat(200, ask('198.51.100.7')),
    ])
    expect(drain).toEqual({ statuses: { 200: 200, 429: 100 }, limit: 'device_codes_by_address' })
    expect(neighbour.statuses).toEqual({ 200: 200 })
  })

  test('D107: guesses of one user at many addresses, and of many users at one', async () => {
    const call = await limitedCall()
    const session = async (address: string): Promise<string> =>
      (await signIn(call, address)()).json.data.session
    const guess = (of: string, address: string) =>
      call('GET /device/{userCode}', at(address, { path: { userCode: 'BCDF-GHJK' }, session: of }))
    const [own, another] = [await session('192.0.2.1'), await session('192.0.2.1')]
    let addresses = 0
    const ofUser = await repeat(40, () => {
      addresses += 1
      return guess(own, `203.0.113.${addresses}`)
    })
    expect(ofUser).toEqual({ statuses: { 404: 10, 429: 30 }, limit: 'device_guesses' })
    const sessions = await Promise.all(numbers(1, 20).map(() => session('192.0.2.1')))
    for (const each of sessions)
      expect((await repeat(20, () => guess(each, '198.51.100.9'))).statuses[404]).toBe(10)
    const last = await guess(another, '198.51.100.9')
    expect([last.status, last.json.limit]).toEqual([
      ...[429, { name: 'device_guesses_by_address', count: 200, perSeconds: 3_600 }],
    ])
    // A right code passes the limit of the network.
    const { productId } = await newGame()
    const { user_code: userCode } = (
      await call('POST /device/authorization', at('192.0.2.2', { form: { client_id: productId } }))
    ).json
    const right = at('198.51.100.9', { path: { userCode }, session: another })
    expect((await call('GET /device/{userCode}', right)).status).toBe(200)
    expect((await guess(another, '198.51.100.10')).status).toBe(404)
  })
})
