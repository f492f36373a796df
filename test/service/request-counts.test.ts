import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type OperationId, operationIds, operations } from '../../functions/operations.ts'
import { type AllRequests, requestsOf, sumOf } from '../../lib/contract/requests.ts'
import type { Requests } from '../../lib/contract/route.ts'
import { functionName } from '../../lib/contract/route.ts'
import type { ProblemCode } from '../../lib/domain/problems.ts'
import { deploymentLimits } from '../../local/deployment-limits.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { numbers, samples } from '../../local/samples/samples.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { rowOf } from '../support/operations.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Sent } from '../support/requests/client.ts'
import { acceptedBy, invokeFunction, processedBy } from '../support/requests/invoke-function.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { type RequestCounts, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()

/** The product's own counter of NFTs begins with its first allowlisting, so it is made with the limits too. */
const preparing = service.newContainers(deploymentLimits)

const reading = ['getRawMetadata', 'getStructuredMetadata'] as const
const isReading = (id: OperationId) => reading.some((each) => each === id)

const requestsBy = (id: OperationId): AllRequests => requestsOf(rowOf(id), operations[id].requests)

/** The requests without limits, for a player with one wallet if the operation reads the player's NFTs. */
function eachOfOneWallet(id: OperationId): Requests {
  // The product with the player, and the NFTs of the page.
  const ofOneWallet = isReading(id) && { getNFTsForOwner: 1, BatchGetItem: 1 + 1 }
  return { ...requestsBy(id).each, ...ofOneWallet }
}

/** The pages of several wallets, which are read at the same time, would reserve their calls in one or two writes. */
async function requestOfOneWallet(id: OperationId): Promise<Sent> {
  const sent = await acceptedRequest(service, id)
  if (!isReading(id)) return sent
  const { playerToken } = await service.newPlayer(samples.players.oneWallet.wallets)
  return { ...sent, playerToken }
}

/** With a limit, a counter is read together with an item that is read anyway, and is written once (D47). */
const counted = (requests: Requests): Requests => {
  const { GetItem = 0, ...others } = sumOf(requests, { BatchGetItem: 1, UpdateItem: 1 })
  return { ...others, ...(GetItem > 1 && { GetItem: GetItem - 1 }) }
}

/** Counters in items of their own, such as those of a network, are read and written (D107). */
const countedIn = (items: Requests) => (requests: Requests) => sumOf(requests, items)

/** The product is read with the player, and then also with each counter (D152). */
const countedOfPlayer = countedIn({ UpdateItem: 1 })

/** Those of the network, and of all sign-ins. */
const ofNetwork = countedIn({ GetItem: 2, UpdateItem: 2 })

/** Those of the player: a right code is no guess, which is given back. */
const ofGuess = countedIn({ GetItem: 1, UpdateItem: 2 })

/** The operations that read no item alone, or whose counters are in other items. */
const countedByWriting: { [Id in OperationId]?: (requests: Requests) => Requests } = {
  registerProduct: countedIn({ UpdateItem: 1 }),
  // The write of the player counts the player token.
  createPlayerToken: (requests) => requests,
  getRawMetadata: countedOfPlayer,
  getStructuredMetadata: countedOfPlayer,
  signIn: ofNetwork,
  addWallet: ofNetwork,
  removeWallet: ofNetwork,
  authorizeDevice: ofNetwork,
  getDeviceRequest: ofGuess,
  decideDeviceRequest: ofGuess,
  createToken: countedIn({ UpdateItem: 1 }),
}

/** Expects these requests of calls of different callers, beside those of the first call of a container. */
async function expectRequests(
  id: OperationId,
  each: Requests,
  variables: Record<string, string>,
  requestOf: (id: OperationId) => Promise<Sent> = requestOfOneWallet,
) {
  const host = service.newContainers(variables)
  const counts: RequestCounts[] = []
  for (let call = 0; call < 2; call += 1) {
    const sent = await requestOf(id)
    if (id === 'allowlistNfts') await invokeFunction(preparing, id, sent)
    counts.push(await service.countsOf(() => acceptedBy(host, id, sent)))
  }
  expect(counts).toEqual([sumOf(each, requestsBy(id).first), each])
}

/** A request without an API key (D51). */
async function keyless(id: OperationId): Promise<Sent> {
  const { apiKey = '', ...sent } = await requestOfOneWallet(id)
  const { json } = await service.call('PATCH /product', { apiKey, body: { clientAccess: true } })
  return { ...sent, query: { productId: json.data.productId } }
}

describe('Budget: the first call of a container, and the first one with another API key', () => {
  test.each(operationIds)('%s', async (id) => {
    const host = service.newContainers()
    const { each, first, firstOfKey, units } = requestsBy(id)
    const { GetItem: read = 0 } = firstOfKey
    for (const counts of [sumOf(each, firstOfKey, first), sumOf(each, firstOfKey)]) {
      const sent = await acceptedRequest(service, id)
      const use = await service.useOf(() => acceptedBy(host, id, sent))
      const expected = { counts, units: { ...units, read: units.read + read } }
      expect(use, `\`requests\` of functions/${functionName(id)}/operation.ts`).toEqual(expected)
    }
  })

  test.each(reading)('%s without an API key', async (id) => {
    await expectRequests(id, eachOfOneWallet(id), {}, keyless)
  })
})

describe('Budget: with the default limits of a deployment', () => {
  const limited = operationIds.filter((id) => rowOf(id).limits !== undefined)

  test.each(limited)('%s', async (id) => {
    const each = (countedByWriting[id] ?? counted)(eachOfOneWallet(id))
    await expectRequests(id, sumOf(each, requestsBy(id).firstOfKey), deploymentLimits)
  })

  test.each(reading)('%s without an API key: also the counter of the player', async (id) => {
    const each = countedOfPlayer(countedOfPlayer(eachOfOneWallet(id)))
    await expectRequests(id, each, deploymentLimits, keyless)
  })

  test('the background counts its calls once for each message', async () => {
    const host = service.newContainers(deploymentLimits)
    const [apiKey, address, tokens] = [await service.newProduct(), newAddress(), numbers(1, 300)]
    ownedBy(service.world, { network: 'polygon-mainnet', address }, newAddress(), numbers(1, 10))
    const body = allowlistingBody({ contractAddress: address, tokens })
    await invokeFunction(host, 'allowlistNfts', { apiKey, body })
    await invokeFunction(host, 'refreshMetadata', { apiKey, body: { smartContract: address } })
    const counts = await service.countsOf(() => processedBy(host, service.messages().at(-1)))
    // The usage of the product (D55) and the counter of its limit (D47): a read and a write each.
    const [usage, limit] = [1, 1]
    expect(counts).toEqual({
      GetItem: 3 + usage + limit,
      Query: 1,
      PutItem: 1,
      UpdateItem: 1 + usage + limit,
      getNFTMetadataBatch: 2,
      GetSecretValue: 1,
    })
  })
})

/** What a stranger's request costs: docs/scale.md#callers-without-a-credential says so. */
describe('Budget: a refused credential', () => {
  const host = service.newContainers()
  const costOf = (id: OperationId, sent: Sent, code: ProblemCode) =>
    service.countsOf(async () => expectProblem(await invokeFunction(host, id, sent), code))

  test('D46: an unknown API key takes one read each time, and a mistyped one none', async () => {
    const created = keyIn(await keysOf(service.call, await service.newProduct()).create())
    const mistyped = created.apiKey.slice(0, -1) + (created.apiKey.endsWith('0') ? '1' : '0')
    const unknown = randomUUID()
    for (const [apiKey, cost] of [
      [unknown, { GetItem: 1 }],
      [unknown, { GetItem: 1 }],
      [mistyped, {}],
      ['garbage', {}],
    ] as const) {
      for (const sent of [{ apiKey }, { apiKey, playerToken: 'garbage' }]) {
        expect(await costOf('getRawMetadata', sent, 'invalid_api_key')).toEqual(cost)
      }
    }
  })

  test.each([
    ['getPlayerDetails', { playerToken: 'garbage' }, 'invalid_player_token'],
    ['createPlayerToken', { userJwt: 'garbage' }, 'invalid_user_token'],
  ] as const)('D23: %s: a token that is not valid takes no request', async (id, sent, code) => {
    expect(await costOf(id, sent, code)).toEqual({})
  })
})

test('a retry of the AWS SDK is not counted', async () => {
  const host = service.newContainers()
  const product = { apiKey: await service.newProduct() }
  service.interfere(({ action, attempt }) =>
    action === 'GetItem' && attempt === 1 ? 'drop' : undefined,
  )
  const counts = await service.countsOf(() => acceptedBy(host, 'getProduct', product))
  service.interfere(() => undefined)
  expect(counts).toEqual({ GetItem: 2 })
})

test('D74: verifying a token: one GetPublicKey for each key, once for each container, if the deployment read none', async () => {
  const { playerTokenKeyArn, userJwtKeyArn } = service.stack.resources
  const keys = `${userJwtKeyArn},${playerTokenKeyArn}`
  const host = service.newContainers({ PLAYER_TOKEN_KEY_ARNS: keys, PLAYER_TOKEN_PUBLIC_KEYS: '' })
  const { playerToken } = await service.newPlayer([])
  const details = () => acceptedBy(host, 'getPlayerDetails', { playerToken })
  expect(await service.countsOf(details)).toEqual({ GetItem: 1, GetPublicKey: 2 })
  expect(await service.countsOf(details)).toEqual({ GetItem: 1 })
})
