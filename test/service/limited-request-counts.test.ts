import { describe, expect, test } from 'vitest'
import { type OperationId, operationIds, operations } from '../../functions/operations.ts'
import { workerName } from '../../infra/bundle/bundle.ts'
import { type AllRequests, type Requests, requestsOf, sumOf } from '../../lib/contract/requests.ts'
import { deploymentLimits } from '../../local/deployment-limits.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { numbers, samples } from '../../local/samples/samples.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { rowOf } from '../support/operations.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { type RequestCounts, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()

/** The product's own counter of NFTs begins with its first allowlisting, so it is made with the limits too. */
const preparing = service.newContainers(deploymentLimits)

const isLimited = (id: OperationId) => rowOf(id).limits !== undefined

const reading = ['getRawMetadata', 'getStructuredMetadata'] as const
const isReading = (id: OperationId) => reading.some((each) => each === id)

/** The requests of an operation without limits, for a player with one wallet if it reads the player's NFTs. */
function requestsBy(id: OperationId): AllRequests {
  const requests = requestsOf(rowOf(id), operations[id].requests)
  // The product with the player, and the NFTs of the page.
  const ofOneWallet = isReading(id) && { getNFTsForOwner: 1, BatchGetItem: 1 + 1 }
  return { ...requests, each: { ...requests.each, ...ofOneWallet } }
}

/** The pages of several wallets, which are read at the same time, would reserve their calls in one or two writes. */
async function newRequest(id: OperationId): Promise<Sent> {
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

/** The product is read with the player, and then also with each counter (D152). */
const countedOfPlayer = (requests: Requests): Requests => sumOf(requests, { UpdateItem: 1 })

/** Counters in items of their own, such as those of a network, are read and written (D107). */
const countedIn = (items: Requests) => (requests: Requests) => sumOf(requests, items)

/** Those of the network, and of all sign-ins. */
const ofNetwork = countedIn({ GetItem: 2, UpdateItem: 2 })

/** Those of the player: a right code is no guess, which is given back. */
const ofGuess = countedIn({ GetItem: 1, UpdateItem: 2 })

/** The operations that read no item alone, or whose counters are in other items. */
const countedByWriting: { [Id in OperationId]?: (requests: Requests) => Requests } = {
  registerProduct: (requests) => sumOf(requests, { UpdateItem: 1 }),
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
  requestOf: (id: OperationId) => Promise<Sent> = newRequest,
) {
  const host = service.newContainers(variables)
  const counts: RequestCounts[] = []
  for (let call = 0; call < 2; call += 1) {
    const sent = await requestOf(id)
    if (id === 'allowlistNfts') await invokeFunction(preparing, id, sent)
    const run = async () => {
      const answer = await invokeFunction(host, id, sent)
      expect(answer.status, answer.text).toBe(200)
    }
    counts.push(await service.countsOf(run))
  }
  const { first } = requestsBy(id)
  expect(counts).toEqual([sumOf(each, first), each])
}

/** A request without an API key (D51). */
async function keyless(id: OperationId): Promise<Sent> {
  const { apiKey = '', ...sent } = await newRequest(id)
  const { json } = await service.call('PATCH /product', { apiKey, body: { clientAccess: true } })
  return { ...sent, query: { productId: json.data.productId } }
}

describe('Budget: with the default limits of a deployment', () => {
  test.each(operationIds.filter(isLimited))('%s', async (id) => {
    const { each, firstOfKey } = requestsBy(id)
    const limited = (countedByWriting[id] ?? counted)(each)
    await expectRequests(id, sumOf(limited, firstOfKey), deploymentLimits)
  })

  test.each(reading)('%s without an API key: also the counter of the player', async (id) => {
    const { each } = requestsBy(id)
    await expectRequests(id, countedOfPlayer(countedOfPlayer(each)), deploymentLimits, keyless)
  })

  test('the background counts its calls once for each message', async () => {
    const host = service.newContainers(deploymentLimits)
    const [apiKey, address, tokens] = [await service.newProduct(), newAddress(), numbers(1, 300)]
    ownedBy(service.world, { network: 'polygon-mainnet', address }, newAddress(), numbers(1, 10))
    const body = allowlistingBody({ contractAddress: address, tokens })
    await invokeFunction(host, 'allowlistNfts', { apiKey, body })
    await invokeFunction(host, 'refreshMetadata', { apiKey, body: { smartContract: address } })
    const Records = [{ messageId: 'message', body: service.messages().at(-1) }]
    const counts = await service.countsOf(() => host.invoke(workerName, { Records }))
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

describe('Budget: without limits', () => {
  test.each(reading)('%s without an API key', async (id) => {
    const { each } = requestsBy(id)
    await expectRequests(id, each, {}, keyless)
  })
})
