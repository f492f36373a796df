import { deploymentLimits } from '@player-nfts/local/deployment-limits'
import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { setBalance } from '@player-nfts/local/indexer/world'
import { numbers, samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { processedBy } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { from, type LimitedCaller, startLimitedCaller } from '../support/services/limited-caller.ts'
import { newAddress, registration } from '../support/services/service.ts'

// docs/scale.md#what-one-caller-can-use-up has these figures.

const service = await startCountedService()
setBalance(
  service.world,
  {
    network: 'polygon-mainnet',
    address: samples.serviceToken.address,
    wallet: newAddress(),
  },
  1n,
)

const day = 86_400

/** Later than every user JWT that the service has seen, and in another hour for each test. */
let hours = 0
const nextHour = () => {
  hours += 1
  return Date.now() + hours * 3_600_000
}

type Call = [OperationId, Sent]

const times = (count: number, call: Call): Call[] => Array.from({ length: count }, () => call)

async function inSequence(caller: LimitedCaller, calls: readonly Call[]): Promise<Received[]> {
  const answers: Received[] = []
  for (const [id, sent] of calls) answers.push(await caller.call(id, sent))
  return answers
}

const statusesOf = (answers: readonly Received[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The first response that is a refusal by a limit. */
function limitOf(answers: readonly Received[]) {
  const refused = answers.find(({ status }) => status === 429) as Received
  expectProblem(refused, 'rate_limited')
  return refused.json.limit.name
}

/** A product that allowlists 1 NFT of each of these numbers of contracts. */
async function productWith(polygon: number, bsc: number) {
  const apiKey = await service.newProduct()
  const chains = [...Array(polygon).fill('POLYGON'), ...Array(bsc).fill('BSC')]
  const contracts = chains.map((chain) => ({ chain, contractAddress: newAddress() }))
  for (const contract of contracts) {
    await service.call('POST /product/tokens', { apiKey, body: allowlistingBody(contract) })
  }
  return { apiKey, contracts }
}

const limit = (name: keyof typeof deploymentLimits) => Number(deploymentLimits[name])

/**
 * Everything that a second product, its player and its studio may do in an instant: every call is permitted, and
 * one more of each kind is not, except for those of products without a limit.
 */
async function fullRate(): Promise<Call[]> {
  const { apiKey, contracts } = await productWith(1, 0)
  const [{ contractAddress = '' } = {}] = contracts
  const wallet = newAddress()
  ownedBy(service.world, { network: 'polygon-mainnet', address: contractAddress }, wallet, ['1'])
  const { playerToken } = await service.newPlayer([wallet])
  const userJwt = await service.userJwt({}, day)
  const tokens = numbers(1, 100)
  const kinds: Call[][] = [
    times(limit('INDEXER_CALLS_PER_PRODUCT_AND_MINUTE'), [
      'getRawMetadata',
      { apiKey, playerToken },
    ]),
    times(limit('PLAYER_TOKENS_PER_USER_AND_HOUR'), ['createPlayerToken', { userJwt }]),
    times(limit('PLAYER_DETAILS_PER_PLAYER_AND_MINUTE'), ['getPlayerDetails', { playerToken }]),
    times(limit('REGISTRATIONS_PER_ADDRESS_AND_HOUR'), [
      'registerProduct',
      { body: registration(), ...from('198.51.100.7') },
    ]),
    times(10, ['allowlistNfts', { apiKey, body: allowlistingBody({ contractAddress, tokens }) }]),
    times(50, ['getProduct', { apiKey }]),
  ]
  const longest = Math.max(...kinds.map(({ length }) => length))
  return numbers(0, longest - 1).flatMap((index) =>
    kinds.flatMap((calls) => calls.slice(Number(index), Number(index) + 1)),
  )
}

/** Makes all calls at the full rate of a second product, and returns what they spend. */
async function spendFullRate(now: number, isDone: (id: OperationId) => boolean = () => true) {
  const caller = await startLimitedCaller(service, now)
  const calls = (await fullRate()).filter(([id]) => isDone(id))
  const answers = await inSequence(caller, calls)
  expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
  return caller.counts()
}

/** What a second product spends at its full rate when nobody else calls the service. */
const undisturbed = await spendFullRate(nextHour())

/** Runs a drain in three containers, beside a second product at its full rate, which notices nothing. */
async function besideFullRate(drain: (caller: LimitedCaller) => Promise<Received[]>) {
  const now = nextHour()
  const caller = await startLimitedCaller(service, now, 3)
  const [answers, others] = await Promise.all([drain(caller), spendFullRate(now)])
  expect(others).toEqual(undisturbed)
  return { answers, spent: caller.counts() }
}

const calling = (count: number, call: Call) =>
  besideFullRate((caller) => inSequence(caller, times(count, call)))

describe('D47: drains end at the default limits, and a second product keeps its full rate', {
  timeout: 300_000,
}, () => {
  test('D47: registrations without a credential', async () => {
    const call: Call = ['registerProduct', { body: registration(), ...from('192.0.2.1') }]
    const { answers, spent } = await calling(1_000, call)
    expect(statusesOf(answers)).toEqual({ 200: 10, 429: 990 })
    expect(limitOf(answers)).toBe('registrations_by_address')
    // A container asks the table once more, and remembers the refusal.
    expect(spent).toEqual({ PutItem: 3 * 10, UpdateItem: 2 * 10 + 3, GetItem: 3 })
  })

  test('D47: registrations from a thousand addresses', async () => {
    const now = nextHour()
    const caller = await startLimitedCaller(service, now, 3)
    const calls = numbers(1, 1_000).map((index): Call => {
      const address = `10.0.${Number(index) >> 8}.${Number(index) & 255}`
      return ['registerProduct', { body: registration(), ...from(address) }]
    })
    const isNoRegistration = (id: OperationId) => id !== 'registerProduct'
    const [answers] = await Promise.all([
      inSequence(caller, calls),
      spendFullRate(now, isNoRegistration),
    ])
    expect(statusesOf(answers)).toEqual({ 200: 100, 429: 900 })
    expect(limitOf(answers)).toBe('registrations')
    expect(caller.counts()).toEqual({ PutItem: 3 * 100, UpdateItem: 2 * 100 + 3, GetItem: 3 })
  })

  test('D31, D47: a refresh of 10,000 NFTs and a new connection in a loop', async () => {
    const apiKey = await service.newProduct()
    const contractAddress = newAddress()
    const body = allowlistingBody({ contractAddress, tokens: numbers(1, 10_000) })
    const contract = { contractAddress, chain: 'POLYGON' }
    const { answers, spent } = await besideFullRate(async (caller) => {
      const refreshes: Received[] = []
      const refresh: Call = [
        'refreshMetadata',
        { apiKey, body: { smartContract: contractAddress } },
      ]
      for (let round = 0; round < 3; round += 1) {
        expect((await caller.call('allowlistNfts', { apiKey, body })).status).toBe(200)
        refreshes.push(...(await inSequence(caller, [refresh])))
        await workOff(caller)
        refreshes.push(...(await inSequence(caller, times(99, refresh))))
        const unbound = await caller.call('unbindContract', { apiKey, query: contract })
        expect(unbound.status).toBe(200)
      }
      return refreshes
    })
    expect(statusesOf(answers)).toEqual({ 200: 1, 429: 299 })
    expect(limitOf(answers)).toBe('indexer_calls_by_minute')
    // Four calls before the response, and the others in the background.
    expect(spent['getNFTMetadataBatch']).toBe(200)
  })

  test('D47: reads of a player that take 64 calls of the indexer', async () => {
    const { apiKey } = await productWith(46, 46)
    const { playerToken } = await service.newPlayer(Array.from({ length: 16 }, newAddress))
    const { answers, spent } = await calling(977, ['getRawMetadata', { apiKey, playerToken }])
    const { 200: answered = 0, 429: refused = 0, ...others } = statusesOf(answers)
    expect([answered + refused, others]).toEqual([977, {}])
    // The first request makes 64 calls. How many it reserves depends on how many wait at the same moment, and so do
    // the containers that make the other 11.
    expect(answered).toBeGreaterThan(1)
    expect(answered).toBeLessThanOrEqual(1 + 3)
    expect(limitOf(answers)).toBe('indexer_calls_by_minute')
    expect(spent['getNFTsForOwner']).toBe(75)
  })

  test('D47, D51: reads of shipped games; those of the servers of the same game go on', async () => {
    const { apiKey } = await productWith(1, 0)
    const body = { clientAccess: true }
    const { productId } = (await service.call('PATCH /product', { apiKey, body })).json.data
    const players = await Promise.all(numbers(1, 20).map(() => service.newPlayer([newAddress()])))
    const read = (sent: Sent): Call => ['getRawMetadata', sent]
    const ofGames = players.map(({ playerToken }) => read({ playerToken, query: { productId } }))
    const [{ playerToken = '' } = {}] = players
    let ofServers: Received[] = []
    const { answers, spent } = await besideFullRate(async (caller) => {
      const refused = await inSequence(caller, Array.from({ length: 50 }, () => ofGames).flat())
      ofServers = await inSequence(caller, times(50, read({ apiKey, playerToken })))
      return refused
    })
    expect(statusesOf(answers)).toEqual({ 200: 37, 429: 963 })
    expect(limitOf(answers)).toBe('client_indexer_calls_by_minute')
    // The rest of the 75 calls of the product.
    expect(statusesOf(ofServers)).toEqual({ 200: 38, 429: 12 })
    expect(spent['getNFTsForOwner']).toBe(37 + 38)
  })

  test('D47: allowlistings of 10,000 token identifiers', async () => {
    const apiKey = await service.newProduct()
    const contractAddress = newAddress()
    const body = allowlistingBody({ contractAddress, tokens: numbers(1, 10_000) })
    const { answers, spent } = await calling(240, ['allowlistNfts', { apiKey, body }])
    expect(statusesOf(answers)).toEqual({ 200: 6, 429: 234 })
    expect(limitOf(answers)).toBe('allowlisted_nfts')
    expect(spent['BatchWriteItem']).toBe((6 * 10_000) / 25)
  })

  test('D47: player tokens in a loop', async () => {
    const userJwt = await service.userJwt({}, day)
    const { answers, spent } = await calling(1_000, ['createPlayerToken', { userJwt }])
    expect(statusesOf(answers)).toEqual({ 200: 60, 429: 940 })
    expect(limitOf(answers)).toBe('player_tokens')
    // The first token takes one write; a further one, while the first is not paid back, one write and read more.
    const [firstOne, others, refused] = [1, 59, 940]
    expect(spent).toEqual({
      Sign: 60,
      UpdateItem: firstOne + 2 * others + refused,
      GetItem: others + refused,
      GetPublicKey: 2 * 3,
    })
  })

  test('D47: garbage at the details of players', async () => {
    const { playerToken } = await service.newPlayer()
    const forged = `${playerToken.slice(0, -4)}AAAA`
    const { answers, spent } = await besideFullRate((caller) =>
      inSequence(caller, [
        ...times(500, ['getPlayerDetails', { playerToken: 'garbage' }]),
        ...times(500, ['getPlayerDetails', { playerToken: forged }]),
      ]),
    )
    expect(statusesOf(answers)).toEqual({ 401: 1_000 })
    expect(spent).toEqual({})
  })

  test('D47: the details of a player in a loop', async () => {
    const { playerToken } = await service.newPlayer([newAddress()])
    const { answers, spent } = await calling(1_000, ['getPlayerDetails', { playerToken }])
    expect(statusesOf(answers)).toEqual({ 200: 30, 429: 970 })
    expect(limitOf(answers)).toBe('player_details')
    expect(spent).toEqual({
      alchemy_getTokenBalances: 30,
      BatchGetItem: 1_000,
      UpdateItem: 30,
      GetSecretValue: 3,
    })
  })
})

/** Has the worker process the refreshes that were sent, until none is left. */
async function workOff(caller: LimitedCaller): Promise<void> {
  const isRefresh = (body: string) => JSON.parse(body).kind === 'refresh'
  for (let done = 0; ; done += 1) {
    const body = caller.messages().filter(isRefresh)[done]
    if (body === undefined) return
    await processedBy(caller, body)
  }
}
