import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { setBalance } from '@player-nfts/local/indexer/world'
import { numbers, samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import { workerName } from '../../infra/bundle/bundle.ts'
import {
  functionTimeoutSeconds,
  requestMilliseconds,
  workerAnswerMilliseconds,
  workerReserveMilliseconds,
} from '../../lib/domain/time-budget.ts'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { nameOf, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()

const host = service.newContainers()

/** The requests of the functions since the last call of {@link takeBegun}. */
const begun: ProxiedRequest[] = []
const takeBegun = () => begun.splice(0)

/** The names of requests, without those of further attempts, which a slow machine can cause. */
const namesOf = (requests: readonly ProxiedRequest[]) =>
  requests
    .filter(({ attempt }) => attempt === 1)
    .map(nameOf)
    .sort()

/** Holds requests of this name until the release, which carries out a fault in their place. */
function hold(name: string) {
  const released = Promise.withResolvers<Fault>()
  let isHeld = true
  service.interfere((request) => {
    begun.push(request)
    return isHeld && nameOf(request) === name ? released.promise : undefined
  })
  return (fault: Fault = 'drop') => {
    isHeld = false
    released.resolve(fault)
  }
}

/** The time between the response that a request ran out of time and the timeout of its function, in milliseconds. */
const reserveMilliseconds = functionTimeoutSeconds * 1_000 - requestMilliseconds

/**
 * Makes calls whose time ends in 2.5 s, before an attempt of an AWS call ends, until one of them ends while a request of
 * this name is held. A busy machine needs more time to reach it: each call has twice the time of the call before.
 */
async function endingDuring<Result>(
  held: string,
  reserve: number,
  call: (until: number) => Promise<Result>,
): Promise<Result> {
  for (let milliseconds = 2_500; ; milliseconds *= 2) {
    takeBegun()
    const result = await call(Date.now() + milliseconds + reserve)
    if (namesOf(begun).includes(held)) return result
    expect(milliseconds, `${held} was not reached`).toBeLessThan(20_000)
  }
}

const { address: serviceToken } = samples.serviceToken
setBalance(
  service.world,
  { network: 'polygon-mainnet', address: serviceToken, wallet: newAddress() },
  1n,
)

const bound = { chain: 'POLYGON' } as const

/** A product with a contract whose tokens 1 to 120 are allowlisted, and are in the player's wallet. */
async function product() {
  const [contractAddress, wallet] = [newAddress(), newAddress()]
  const tokens = numbers(1, 120)
  const address = { network: 'polygon-mainnet', address: contractAddress } as const
  ownedBy(service.world, address, wallet, tokens)
  const apiKey = await service.newProduct()
  const allowlist = (ids: readonly string[]) =>
    service.call('POST /product/tokens', {
      apiKey,
      body: allowlistingBody({ contractAddress, tokens: ids }),
    })
  const list = async () =>
    (await service.call('GET /product/tokens', { apiKey })).json.data.length as number
  await allowlist(tokens)
  const { playerToken } = await service.newPlayer([wallet])
  return { apiKey, contractAddress, tokens, playerToken, allowlist, list }
}

type Product = Awaited<ReturnType<typeof product>>

/** For each operation that calls other services: its request, and a call after which it would go on. */
const cases: [OperationId, held: string, (product: Product) => Sent | Promise<Sent>][] = [
  [
    'registerProduct',
    'PutItem',
    () => ({ body: { name: 'A game', contactEmail: 'a@b', companyName: 'A studio' } }),
  ],
  [
    'allowlistNfts',
    'UpdateItem',
    ({ apiKey, contractAddress, tokens }) => ({
      apiKey,
      body: allowlistingBody({ contractAddress, tokens }),
    }),
  ],
  [
    'allowlistNfts',
    'BatchWriteItem',
    ({ apiKey, contractAddress }) => ({
      apiKey,
      body: allowlistingBody({ contractAddress, tokens: numbers(1, 1_050) }),
    }),
  ],
  [
    'unbindContract',
    'SendMessage',
    ({ apiKey, contractAddress }) => ({ apiKey, query: { ...bound, contractAddress } }),
  ],
  [
    'unbindNfts',
    'DeleteItem',
    ({ apiKey, contractAddress, tokens }) => ({
      apiKey,
      query: { ...bound, contractAddress, tokens: [...tokens] },
    }),
  ],
  [
    'refreshMetadata',
    'getNFTMetadataBatch',
    ({ apiKey, contractAddress }) => ({ apiKey, body: { smartContract: contractAddress } }),
  ],
  ['getRawMetadata', 'getNFTsForOwner', ({ apiKey, playerToken }) => ({ apiKey, playerToken })],
  ['getStructuredMetadata', 'BatchGetItem', ({ apiKey, playerToken }) => ({ apiKey, playerToken })],
  ['getPlayerDetails', 'GetItem', ({ playerToken }) => ({ playerToken })],
  ['createPlayerToken', 'Sign', async () => ({ userJwt: await service.userJwt() })],
]

/** Waits for longer than the pauses between the attempts of a call. */
const pausesBetweenAttempts = () => new Promise((resolve) => setTimeout(resolve, 500))

describe('D38: nothing begins after the response', () => {
  test.each(cases)('%s during %s', async (id, held, requestOf) => {
    const release = hold('nothing')
    await invokeFunction(host, id, await requestOf(await product()))
    takeBegun()
    await invokeFunction(host, id, await requestOf(await product()))
    const warm = namesOf(takeBegun())
    release()

    const releaseHeld = hold(held)
    const answer = await endingDuring(held, reserveMilliseconds, async (until) =>
      invokeFunction(host, id, await requestOf(await product()), until),
    )
    expect([answer.status, answer.text]).toEqual([
      503,
      expect.stringMatching(/"service_unavailable"/),
    ])
    takeBegun()
    releaseHeld()
    await pausesBetweenAttempts()
    expect(takeBegun()).toEqual([])

    // Lambda thaws the container for the next request.
    const next = await invokeFunction(host, id, await requestOf(await product()))
    expect(next.status, next.text).toBe(200)
    await pausesBetweenAttempts()
    expect(namesOf(takeBegun())).toEqual(warm)
  })

  test('the worker at its own limit', async () => {
    const message = {
      kind: 'sweep',
      productId: 'p',
      contract: { ...bound, address: newAddress(), bindingId: 'b' },
    }
    const work = (until?: number) =>
      host.invoke(
        workerName,
        { Records: [{ messageId: 'm', body: JSON.stringify(message) }] },
        until,
      )
    const release = hold('GetItem')
    expect(await endingDuring('GetItem', workerAnswerMilliseconds, work)).toEqual({
      ok: true,
      payload: '{"batchItemFailures":[{"itemIdentifier":"m"}]}',
    })
    expect(new Set(takeBegun().map(nameOf))).toEqual(new Set(['GetItem']))
    release()
    await pausesBetweenAttempts()
    expect(takeBegun()).toEqual([])
    // So little time that the worker starts no step.
    await work(Date.now() + workerReserveMilliseconds - 1_000)
    await pausesBetweenAttempts()
    expect(namesOf(takeBegun())).toEqual(['GetItem', 'SendMessage'])
  })
})

describe('D38: an unbinding that ran out of time leaves what was allowlisted after it', () => {
  test('of NFTs', async () => {
    const { apiKey, contractAddress, tokens, allowlist, list } = await product()
    const release = hold('DeleteItem')
    const query = { ...bound, contractAddress, tokens: [...tokens] }
    const answer = await endingDuring('DeleteItem', reserveMilliseconds, (until) =>
      invokeFunction(host, 'unbindNfts', { apiKey, query }, until),
    )
    expectProblem(answer, 'service_unavailable')
    expect((await allowlist(tokens)).status).toBe(200)
    release()
    await pausesBetweenAttempts()
    await invokeFunction(host, 'unbindNfts', { apiKey, query: { ...query, tokens: ['999'] } })
    expect(await list()).toBe(120)
  })
})
