import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import { workerName } from '../../infra/bundle/bundle.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { numbers } from '../../local/samples/samples.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { type RequestCounts, startCountedService } from '../support/services/counted-service.ts'
import { defaultLimits } from '../support/services/limited-caller.ts'
import { newAddress, registration } from '../support/services/service.ts'

const service = await startCountedService()

const indexerKey = { GetSecretValue: 1 }

/** The product's own counter of NFTs begins with its first allowlisting, so it is made with the limits too. */
const preparing = service.newContainers(defaultLimits)

/** A product with the NFTs 1 to 100 of a contract on its list, and a player with ten of them. */
async function newGame() {
  const [apiKey, contractAddress, wallet] = [await service.newProduct(), newAddress(), newAddress()]
  await invokeFunction(preparing, 'allowlistNfts', allowlisting(apiKey, contractAddress, 100))
  const body = { clientAccess: true }
  const { productId } = (await service.call('PATCH /product', { apiKey, body })).json.data
  const contract = { network: 'polygon-mainnet', address: contractAddress } as const
  ownedBy(service.world, contract, wallet, numbers(1, 10))
  const { playerToken } = await service.newPlayer([wallet])
  return { apiKey, contractAddress, productId, playerToken }
}

const allowlisting = (apiKey: string, contractAddress: string, count: number) => ({
  apiKey,
  body: allowlistingBody({ contractAddress, tokens: numbers(1, count) }),
})

type Game = Awaited<ReturnType<typeof newGame>>

/**
 * An operation, its input, and its requests: those of each call, which is for another product and player, and in
 * addition those of the first call of a container.
 */
interface Row {
  id: OperationId
  sent: (game: Game) => Sent | Promise<Sent>
  each: RequestCounts
  first: RequestCounts
}

const keyed = ({ apiKey, playerToken }: Game) => ({ apiKey, playerToken })
const keyless = ({ productId, playerToken }: Game) => ({ playerToken, query: { productId } })
/** A container reads each API key once (D46). */
const apiKeyRead = 1

const page = { getNFTsForOwner: 1 }

const read: Row = {
  id: 'getRawMetadata',
  sent: keyed,
  each: { GetItem: 1 + apiKeyRead, Query: 1, BatchGetItem: 1 + 1, UpdateItem: 1, ...page },
  first: indexerKey,
}

/** With limits, a counter is read together with an item that is read anyway, and is written once (D47). */
const limited: Record<string, Row> = {
  'a registration': {
    id: 'registerProduct',
    sent: () => ({ body: registration() }),
    each: { PutItem: 2 + 1, UpdateItem: 1 + 1 },
    first: {},
  },
  'a player token': {
    id: 'createPlayerToken',
    sent: async () => ({ userJwt: await service.userJwt() }),
    each: { UpdateItem: 1, Sign: 1 },
    first: { GetPublicKey: 2 },
  },
  'player details': {
    id: 'getPlayerDetails',
    sent: ({ playerToken }) => ({ playerToken }),
    each: { BatchGetItem: 1, UpdateItem: 1, alchemy_getTokenBalances: 1 },
    first: indexerKey,
  },
  'allowlisting for a connected contract': {
    id: 'allowlistNfts',
    sent: ({ apiKey, contractAddress }) => allowlisting(apiKey, contractAddress, 100),
    // The description of the contract is put; the counter and the end of the event are updates.
    each: {
      GetItem: 1 + apiKeyRead,
      BatchGetItem: 1,
      PutItem: 1 + 1,
      UpdateItem: 1 + 1,
      BatchWriteItem: 4,
    },
    first: {},
  },
  'a new key': {
    id: 'createKey',
    sent: ({ apiKey }) => ({ apiKey, body: { label: 'Game servers', scope: 'READ' } }),
    // The set of keys, the counter and the end of the event are updates.
    each: { GetItem: apiKeyRead, BatchGetItem: 1, PutItem: 2 + 1, UpdateItem: 1 + 1 + 1 },
    first: {},
  },
  'a refresh': {
    id: 'refreshMetadata',
    sent: ({ apiKey, contractAddress }) => ({ apiKey, body: { smartContract: contractAddress } }),
    each: {
      GetItem: apiKeyRead,
      BatchGetItem: 1,
      Query: 1 + 1,
      PutItem: 2 + 1,
      UpdateItem: 1 + 1,
      getNFTMetadataBatch: 2,
    },
    first: indexerKey,
  },
  'a read with an API key, raw': read,
  'a read with an API key, structured': { ...read, id: 'getStructuredMetadata' },
  'a read without an API key': {
    id: 'getRawMetadata',
    sent: keyless,
    each: { Query: 1, BatchGetItem: 2 + 1, UpdateItem: 1 + 1, ...page },
    first: indexerKey,
  },
}

/** Expects the requests of a row from the first two calls of a container. */
async function expectRequests({ id, sent, each, first }: Row, variables: Record<string, string>) {
  const host = service.newContainers(variables)
  const counts: RequestCounts[] = []
  for (const game of [await newGame(), await newGame()]) {
    const input = await sent(game)
    const run = async () => {
      const answer = await invokeFunction(host, id, input)
      expect(answer.status, answer.text).toBe(200)
    }
    counts.push(await service.countsOf(run))
  }
  expect(counts).toEqual([{ ...each, ...first }, each])
}

describe('Budget: with the default limits of a deployment', { timeout: 60_000 }, () => {
  test.each(Object.entries(limited))('%s', async (_, row) => {
    await expectRequests(row, defaultLimits)
  })

  test('the background counts its calls once for each message', async () => {
    const host = service.newContainers(defaultLimits)
    const { apiKey, contractAddress } = await newGame()
    await invokeFunction(host, 'allowlistNfts', allowlisting(apiKey, contractAddress, 300))
    const body = { smartContract: contractAddress }
    await invokeFunction(host, 'refreshMetadata', { apiKey, body })
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
      ...indexerKey,
    })
  })
})

describe('Budget: without limits', { timeout: 60_000 }, () => {
  test('a read without an API key', async () => {
    const each = { GetItem: 2, Query: 1, BatchGetItem: 1, ...page }
    await expectRequests({ id: 'getRawMetadata', sent: keyless, each, first: indexerKey }, {})
  })
})
