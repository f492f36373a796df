import { randomUUID } from 'node:crypto'
import { deploymentLimits } from '@player-nfts/local/deployment-limits'
import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { numbers, samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { type OperationId, operationIds, operations } from '../../functions/operations.ts'
import { type AllRequests, requestsOf, sumOf } from '../../lib/contract/requests.ts'
import type { Requests } from '../../lib/contract/route.ts'
import { functionName } from '../../lib/contract/route.ts'
import type { ProblemCode } from '../../lib/domain/problems.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { rowOf } from '../support/operations.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Sent } from '../support/requests/client.ts'
import { acceptedBy, invokeFunction, processedBy } from '../support/requests/invoke-function.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'
import { startIdentityProvider } from '../support/tokens/identity-provider.ts'

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
  const calls = [await requestOf(id), await requestOf(id)]
  if (id === 'allowlistNfts') for (const sent of calls) await acceptedBy(preparing, id, sent)
  const counts = await service.countsOfCalls(service.newContainers(variables), id, calls)
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

  test('D23: a token that is not valid takes no request', async () => {
    const { playerToken } = await service.newPlayer()
    for (const token of ['garbage', `${playerToken.slice(0, -4)}AAAA`]) {
      const sent = { playerToken: token }
      expect(await costOf('getPlayerDetails', sent, 'invalid_player_token')).toEqual({})
    }
    const sent = { userJwt: 'garbage' }
    expect(await costOf('createPlayerToken', sent, 'invalid_user_token')).toEqual({})
  })

  test('D46: a keyId is looked for if a key could have it', async () => {
    const apiKey = await service.newProduct()
    const end = (keyId: string) => costOf('endKey', { apiKey, path: { keyId } }, 'key_not_found')
    await end('unknownKey12')
    // The product, and the event of the attempt, before and after it (D46, D49).
    const attempt = { GetItem: 1, PutItem: 1, UpdateItem: 1 }
    expect(await end('unknownKey12')).toEqual({ ...attempt, GetItem: 1 + 1 })
    for (const keyId of ['unknownKey1', 'unknownKey12\n', 'x'.repeat(8_192)]) {
      expect(await end(keyId), keyId).toEqual(attempt)
    }
  })
})

describe('Budget: the keys of tokens', () => {
  const { issuer: iss, audience: aud } = service.stack.userJwtKey
  const { playerTokenKeyArn, userJwtKeyArn } = service.stack.resources

  test('D74: one GetPublicKey for each key, once for each container, if the deployment read none', async () => {
    const keys = `${userJwtKeyArn},${playerTokenKeyArn}`
    const unread = { PLAYER_TOKEN_KEY_ARNS: keys, PLAYER_TOKEN_PUBLIC_KEYS: '' }
    const { playerToken } = await service.newPlayer([])
    const calls = [{ playerToken }, { playerToken }]
    const host = service.newContainers(unread)
    expect(await service.countsOfCalls(host, 'getPlayerDetails', calls)).toEqual([
      { GetItem: 1, GetPublicKey: 2 },
      { GetItem: 1 },
    ])
  })

  test('D41: with assigned ids, two reads and two writes more for a new user, then one read more', async () => {
    const userJwt = await service.userJwt({ userId: 4_100_041 })
    const host = service.newContainers({ USER_IDS: 'assigned' })
    const later = { GetItem: 1, UpdateItem: 1, Sign: 1 }
    const calls = [{ userJwt }, { userJwt }, { userJwt }]
    expect(await service.countsOfCalls(host, 'createPlayerToken', calls)).toEqual([
      { GetItem: 2, PutItem: 2, UpdateItem: 1, Sign: 1, GetPublicKey: 2 },
      later,
      later,
    ])
  })

  test('D40: with a key set, one request for it in each container, and no GetPublicKey', async () => {
    const { jwksUrl, sign, requests } = await startIdentityProvider()
    const host = service.newContainers({ USER_JWT_KEY_ARNS: '', USER_JWT_JWKS_URL: jwksUrl })
    const iat = Math.floor(Date.now() / 1000)
    const user = { sub: '4100042', username: 'neo', wallets: [] }
    const userJwt = await sign({ iss, aud, ...user, iat, exp: iat + 60 })
    const each = { UpdateItem: 1, Sign: 1 }
    const calls = [{ userJwt }, { userJwt }, { userJwt }]
    // The public half of the key that signs player tokens.
    const first = { ...each, GetPublicKey: 1 }
    const counts = await service.countsOfCalls(host, 'createPlayerToken', calls)
    expect(counts).toEqual([first, each, each])
    expect(requests()).toBe(1)
  })
})
