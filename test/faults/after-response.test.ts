import { beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import { workerName } from '../../infra/bundle/bundle.ts'
import { functionName } from '../../lib/contract/route.ts'
import { functionTimeoutSeconds } from '../../lib/domain/time-budget.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { setBalance } from '../../local/indexer/world.ts'
import { type LambdaHost, startLambdaHost } from '../../local/lambda/lambda-host.ts'
import { numbers, samples } from '../../local/samples/samples.ts'
import type { Fault } from '../support/proxies/fault-proxy.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { nameOf, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const service = await startCountedService()

/** The requests of the functions since the last call of {@link takeBegun}, by name. */
const begun: string[] = []
const takeBegun = () => begun.splice(0).sort()

/** Holds requests of this name until the release, which carries out a fault in their place. */
function hold(name: string) {
  const released = Promise.withResolvers<Fault>()
  let isHeld = true
  service.interfere((request) => {
    begun.push(nameOf(request))
    return isHeld && nameOf(request) === name ? released.promise : undefined
  })
  return (fault: Fault = 'drop') => {
    isHeld = false
    released.resolve(fault)
  }
}

/** Containers whose requests are answered with 503 after 2.5 s, before an attempt of an AWS call ends. */
function hurriedContainers(): LambdaHost {
  const functions = Object.entries(service.functionsWith()).map(([name, definition]) => {
    const timeoutSeconds = name === workerName ? 3 : functionTimeoutSeconds - 22.5
    return [name, { ...definition, timeoutSeconds }] as const
  })
  const host = startLambdaHost({ functions: Object.fromEntries(functions), log: () => undefined })
  atFileEnd(() => host.close())
  return host
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
  let host: LambdaHost
  beforeAll(() => {
    host = hurriedContainers()
  })

  test.each(cases)('%s during %s', { timeout: 60_000 }, async (id, held, requestOf) => {
    const release = hold('nothing')
    await invokeFunction(host, id, await requestOf(await product()))
    takeBegun()
    await invokeFunction(host, id, await requestOf(await product()))
    const warm = takeBegun()
    release()

    const releaseHeld = hold(held)
    const answer = await invokeFunction(host, id, await requestOf(await product()))
    expect([answer.status, answer.text]).toEqual([
      503,
      expect.stringMatching(/"service_unavailable"/),
    ])
    const beforeResponse = takeBegun()
    expect(beforeResponse).toContain(held)
    releaseHeld()
    await pausesBetweenAttempts()
    expect(takeBegun()).toEqual([])

    // Lambda thaws the container for the next request.
    const next = await invokeFunction(host, id, await requestOf(await product()))
    expect(next.status, next.text).toBe(200)
    await pausesBetweenAttempts()
    expect(takeBegun()).toEqual(warm)
  })

  test('the worker at its own limit', async () => {
    const message = {
      kind: 'sweep',
      productId: 'p',
      contract: { ...bound, address: newAddress(), bindingId: 'b' },
    }
    const work = () =>
      host.invoke(workerName, { Records: [{ messageId: 'm', body: JSON.stringify(message) }] })
    const release = hold('GetItem')
    expect(await work()).toEqual({
      ok: true,
      payload: '{"batchItemFailures":[{"itemIdentifier":"m"}]}',
    })
    expect(takeBegun()).toEqual(['GetItem'])
    release()
    await pausesBetweenAttempts()
    expect(takeBegun()).toEqual([])
    await work()
    await pausesBetweenAttempts()
    expect(takeBegun()).toEqual(['GetItem', 'SendMessage'])
  })
})

describe('D38: an unbinding that ran out of time leaves what was allowlisted after it', () => {
  const host = hurriedContainers()

  test('of NFTs', async () => {
    const { apiKey, contractAddress, tokens, allowlist, list } = await product()
    const release = hold('DeleteItem')
    const query = { ...bound, contractAddress, tokens: [...tokens] }
    const answer = await invokeFunction(host, 'unbindNfts', { apiKey, query })
    expectProblem(answer, 'service_unavailable')
    expect((await allowlist(tokens)).status).toBe(200)
    release()
    await pausesBetweenAttempts()
    await invokeFunction(host, 'unbindNfts', { apiKey, query: { ...query, tokens: ['999'] } })
    expect(await list()).toBe(120)
  })

  test('of the contract', async () => {
    const { apiKey, contractAddress, allowlist, list } = await product()
    const release = hold('DeleteItem')
    const query = { ...bound, contractAddress }
    const answer = await invokeFunction(host, 'unbindContract', { apiKey, query })
    expectProblem(answer, 'service_unavailable')
    expect((await allowlist(['121'])).status).toBe(200)
    release()
    await pausesBetweenAttempts()
    await host.invoke(functionName('unbindContract'), {})
    expect(await list()).toBe(121)
  })
})
