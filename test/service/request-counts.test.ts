import { beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operationIds } from '../../functions/operations.ts'
import { workerName } from '../../infra/bundle/bundle.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { setBalance } from '../../local/indexer/world.ts'
import type { LambdaHost } from '../../local/lambda/lambda-host.ts'
import { numbers, samples } from '../../local/samples/samples.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { type RequestCounts, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

/** The requests to DynamoDB, KMS, SQS, Secrets Manager and the indexer, by the name of the request. */
interface Row {
  /** Requests of each call. */
  each: RequestCounts
  /** Additional requests of the first call of a container. */
  first: RequestCounts
}

const apiKey = { GetItem: 1 }
const userJwtKey = { GetPublicKey: 1 }
const indexerKey = { GetSecretValue: 1 }
/** The event of a change, before and after the change (D49). */
const event = { PutItem: 1, UpdateItem: 1 }

// Every operation with an API key reads its product each time (D46).
const whateverTheSize = {
  registerProduct: { each: { PutItem: 1 + 2, UpdateItem: 1 }, first: {} },
  getProduct: { each: { GetItem: 1 }, first: apiKey },
  updateProduct: { each: { GetItem: 1, PutItem: 1, UpdateItem: 1 + 1 }, first: apiKey },
  // Each request has another key, because a product ends once.
  deleteProduct: {
    each: { GetItem: 1 + 1, SendMessage: 1, PutItem: 1, UpdateItem: 1 + 1 },
    first: {},
  },
  createKey: { each: { GetItem: 1, PutItem: 2 + 1, UpdateItem: 1 + 1 }, first: apiKey },
  listKeys: { each: { GetItem: 1, Query: 1 }, first: apiKey },
  rotateKey: { each: { GetItem: 1, PutItem: 2 + 1, UpdateItem: 1 + 1 }, first: apiKey },
  endKey: { each: { GetItem: 1, PutItem: 1 + 1, UpdateItem: 2 + 1, DeleteItem: 1 }, first: apiKey },
  getPublicKey: { each: {}, first: userJwtKey },
  // The keys of player tokens come with the deployment (D74).
  getKeySet: { each: {}, first: userJwtKey },
  getOpenapi: { each: {}, first: {} },
  // The key that verifies the user JWT, and the public half of the key that signs player tokens.
  createPlayerToken: { each: { UpdateItem: 1, Sign: 1 }, first: { GetPublicKey: 2 } },
  // For a player with one wallet.
  getPlayerDetails: {
    each: { GetItem: 1, alchemy_getTokenBalances: 1 },
    first: indexerKey,
  },
  // One contract of three NFTs: the contracts, its identifiers, and the metadata.
  getNfts: {
    each: { GetItem: 1, Query: 2, getNFTMetadataBatch: 1 },
    first: { ...apiKey, ...indexerKey },
  },
  // One contract: the contracts, and a count and the description of each.
  getContracts: { each: { GetItem: 1, Query: 2, BatchGetItem: 1 }, first: apiKey },
  getEvents: { each: { GetItem: 1, Query: 1 }, first: apiKey },
  getUsage: { each: { GetItem: 1, Query: 1 }, first: apiKey },
  unbindContract: { each: { GetItem: 2, SendMessage: 1, DeleteItem: 1, ...event }, first: apiKey },
  // For three NFTs.
  unbindNfts: { each: { GetItem: 2, DeleteItem: 3, ...event }, first: apiKey },
  // For two NFTs.
  unbindNftList: {
    each: { GetItem: 2, BatchGetItem: 1, BatchWriteItem: 1, ...event },
    first: apiKey,
  },
  // The worker continues a refresh with 100 remaining NFTs, reads the product for each 100, and once more before it
  // writes the usage of the product (D55).
  refresh: {
    each: { GetItem: 3 + 1, Query: 1, PutItem: 1, UpdateItem: 1 + 1, getNFTMetadataBatch: 2 },
    first: indexerKey,
  },
} satisfies Record<string, Row>

/** For this number of NFTs of one contract in one wallet: a page for each 100, whatever the allowlist. */
const forWallet = (length: number): Row => {
  const pages = Math.ceil(length / 100)
  return {
    each: { GetItem: 2, Query: 1, getNFTsForOwner: pages, BatchGetItem: pages },
    first: { ...apiKey, ...indexerKey },
  }
}

/** For this number of NFTs on the allowlist of one contract. */
const forAllowlist = (length: number) => ({
  // A contract that is new to the product, with its description.
  allowlistNfts: {
    each: { GetItem: 2, Query: 1, PutItem: 2 + 1, UpdateItem: 1, BatchWriteItem: length / 25 },
    first: apiKey,
  },
  // The contracts, and the NFTs in pages of 1 MB, at 132 bytes each.
  getAllowedNfts: {
    each: { GetItem: 1, Query: 1 + Math.ceil((length * 132) / 1_048_576) },
    first: apiKey,
  },
  // The contracts, and up to 200 NFTs in pages of 100; the rest is counted in pages of 1 MB.
  refreshMetadata: {
    each:
      length > 200
        ? {
            GetItem: 1,
            Query: 1 + 2 + Math.ceil(((length - 200) * 132) / 1_048_576),
            PutItem: 2 + 1,
            UpdateItem: 1,
            getNFTMetadataBatch: 2 * 2,
            SendMessage: 1,
          }
        : { GetItem: 1, Query: 1 + 1, PutItem: 2 + 1, UpdateItem: 1, getNFTMetadataBatch: 2 },
    first: { ...apiKey, ...indexerKey },
  },
  // The worker deletes 1,000 at a time, until nothing is left. The description is an item too.
  sweep: {
    each: {
      GetItem: 1,
      Query: Math.ceil((length + 1) / 1_000) + 1,
      BatchWriteItem: length / 25 + 1,
    },
    first: {},
  },
})

/** The requests of the first call of a container, and of the next call. */
type ColdAndWarm = [cold: RequestCounts, warm: RequestCounts]

const coldAndWarm = ({ each, first }: Row): ColdAndWarm => {
  const cold: RequestCounts = { ...each }
  for (const [name, count] of Object.entries(first)) cold[name] = (cold[name] ?? 0) + count
  return [cold, each]
}

/** .ci/soak measures 10,000 NFTs, whose token ids take more than one page of 1 MB. */
const longAllowlist = Number(process.env['LONG_ALLOWLIST'] ?? 2_000)

const service = await startCountedService()

/** Counts the requests of calls, in a new container for each kind of call. */
function newMeasurement(variables: Record<string, string> = {}) {
  const host = service.newContainers(variables)
  const counts: Record<string, RequestCounts[]> = {}
  const measure = async (name: string, run: () => Promise<unknown>) => {
    counts[name] = [...(counts[name] ?? []), await service.countsOf(run)]
  }
  return {
    counts,
    ask: (id: OperationId, sent: Sent) => measure(id, () => accepted(host, id, sent)),
    work: (kind: string, message: unknown) => measure(kind, () => done(host, message)),
  }
}

async function accepted(host: LambdaHost, id: OperationId, sent: Sent): Promise<void> {
  const answer = await invokeFunction(host, id, sent)
  expect(answer.status, answer.text).toBe(200)
}

async function done(host: LambdaHost, body: unknown): Promise<void> {
  const result = await host.invoke(workerName, { Records: [{ messageId: 'message', body }] })
  expect(result).toEqual({ ok: true, payload: '{"batchItemFailures":[]}' })
}

/** The same request for another key of the product, because a key ends once. */
async function withFurtherKey(sent: Sent): Promise<Sent> {
  const { keyId } = keyIn(await keysOf(service.call, sent.apiKey ?? '').create())
  return { ...sent, path: { keyId } }
}

/** The second request of an operation whose request succeeds only once. */
const again: { [Id in OperationId]?: (sent: Sent) => Promise<Sent> } = {
  endKey: withFurtherKey,
  deleteProduct: async (sent) => ({ ...sent, apiKey: await service.newProduct() }),
}

/** A player whose one wallet holds the tokens 1 to `count` of a contract. */
async function holderOf(address: string, count: number): Promise<{ playerToken: string }> {
  const wallet = newAddress()
  ownedBy(service.world, { network: 'polygon-mainnet', address }, wallet, numbers(1, count))
  const { playerToken } = await service.newPlayer([wallet])
  return { playerToken }
}

const allowlisting = (contractAddress: string, count: number) => ({
  body: allowlistingBody({ contractAddress, tokens: numbers(1, count) }),
})

test('every operation and both kinds of background work have a row', () => {
  const ofPlayer = ['getRawMetadata', 'getStructuredMetadata']
  const rows = [...Object.keys(whateverTheSize), ...Object.keys(forAllowlist(1)), ...ofPlayer]
  for (const id of operationIds) expect(rows, `Add a row for ${id} to this file.`).toContain(id)
  expect(rows.sort()).toEqual([...operationIds, 'refresh', 'sweep'].sort())
})

test('a retry of the AWS SDK is not counted', async () => {
  const { counts, ask } = newMeasurement()
  const product = { apiKey: await service.newProduct() }
  service.interfere(({ action, attempt }) =>
    action === 'GetItem' && attempt === 1 ? 'drop' : undefined,
  )
  await ask('getProduct', product)
  service.interfere(() => undefined)
  expect(counts['getProduct']).toEqual([{ GetItem: 2 }])
})

describe.each([100, longAllowlist])('Budget: for an allowlist of %i NFTs', (length) => {
  const { counts, ask, work } = newMeasurement()
  const large = newMeasurement()

  beforeAll(async () => {
    const product = { apiKey: await service.newProduct() }
    const [long, short] = [newAddress(), newAddress()]
    const unbinding = (contractAddress: string) => ({
      ...product,
      query: { contractAddress, chain: 'POLYGON' },
    })
    const tokens = numbers(20_001, 20_003)
    const [ofTen, ofThousand] = [await holderOf(long, 10), await holderOf(long, 1_000)]
    await ask('allowlistNfts', { ...product, ...allowlisting(long, length) })
    const { query } = unbinding(long)
    for (let round = 0; round < 2; round += 1) {
      await ask('getAllowedNfts', product)
      await ask('unbindNfts', { ...product, query: { ...query, tokens } })
      for (const id of ['getRawMetadata', 'getStructuredMetadata'] as const) {
        await ask(id, { ...product, ...ofTen })
        await large.ask(id, { ...product, ...ofThousand })
      }
    }
    await ask('allowlistNfts', { ...product, ...allowlisting(short, 100) })
    for (const contract of [long, short]) {
      await ask('refreshMetadata', { ...product, body: { smartContract: contract } })
      await ask('unbindContract', unbinding(contract))
      await work('sweep', service.messages().at(-1))
    }
  }, 120_000)

  test.each(['unbindContract', 'unbindNfts'] as const)('%s: as for any length', (name) => {
    expect(counts[name]).toEqual(coldAndWarm(whateverTheSize[name]))
  })

  test.each(['getRawMetadata', 'getStructuredMetadata'])('%s: as for any length', (name) => {
    expect(counts[name]).toEqual(coldAndWarm(forWallet(10)))
    expect(large.counts[name]).toEqual(coldAndWarm(forWallet(1_000)))
  })

  test('getAllowedNfts: one request for each megabyte', () => {
    expect(counts['getAllowedNfts']).toEqual(coldAndWarm(forAllowlist(length).getAllowedNfts))
  })

  // The next call of the container has about 100 NFTs, because writing many is expensive.
  test.each(['allowlistNfts', 'refreshMetadata', 'sweep'] as const)('%s', (name) => {
    const [cold] = coldAndWarm(forAllowlist(length)[name])
    const [, warm] = coldAndWarm(forAllowlist(100)[name])
    expect(counts[name]).toEqual([cold, warm])
  })
})

describe('Budget: for any size of allowlist and wallet', () => {
  const { counts, ask, work } = newMeasurement()

  const { unbindContract: _, unbindNfts: __, ...rows } = whateverTheSize

  const askTwice = async (id: OperationId, sent: Sent) => {
    await ask(id, sent)
    await ask(id, sent)
  }

  beforeAll(async () => {
    const { address } = samples.serviceToken
    setBalance(service.world, { network: 'polygon-mainnet', address, wallet: newAddress() }, 1n)
    const product = { apiKey: await service.newProduct() }
    const { playerToken } = await service.newPlayer([newAddress()])
    await askTwice('getPlayerDetails', { playerToken })
    const list = await acceptedRequest(service, 'unbindNftList')
    await ask('unbindNftList', list)
    const body = { ...(list.body as object), contractDescription: 'Once more.' }
    await service.call('POST /product/tokens', { ...list, body })
    await ask('unbindNftList', list)
    const { getPlayerDetails: _, refresh: __, unbindNftList: ___, ...others } = rows
    for (const id of Object.keys(others) as (keyof typeof others)[]) {
      const sent = await acceptedRequest(service, id)
      await ask(id, sent)
      await ask(id, (await again[id]?.(sent)) ?? sent)
    }
    for (const contract of [newAddress(), newAddress()]) {
      await holderOf(contract, 1)
      await ask('allowlistNfts', { ...product, ...allowlisting(contract, 300) })
      await ask('refreshMetadata', { ...product, body: { smartContract: contract } })
      await work('refresh', service.messages().at(-1))
    }
  }, 120_000)

  test.each(Object.entries(rows))('%s', (name, row) => {
    expect(counts[name]).toEqual(coldAndWarm(row))
  })

  test('D74: verifying a token: one GetPublicKey for each key, once for each container, if the deployment read none', async () => {
    const { playerTokenKeyArn, userJwtKeyArn } = service.stack.resources
    const keys = `${userJwtKeyArn},${playerTokenKeyArn}`
    const twoKeys = newMeasurement({ PLAYER_TOKEN_KEY_ARNS: keys, PLAYER_TOKEN_PUBLIC_KEYS: '' })
    const { playerToken } = await service.newPlayer()
    await twoKeys.ask('getPlayerDetails', { playerToken })
    await twoKeys.ask('getPlayerDetails', { playerToken })
    const [cold, warm] = [{ GetItem: 1, GetPublicKey: 2 }, { GetItem: 1 }]
    expect(twoKeys.counts['getPlayerDetails']).toEqual([cold, warm])
  })
})
