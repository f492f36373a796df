import { beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operationIds, operations } from '../../functions/operations.ts'
import { workerName } from '../../infra/bundle/bundle.ts'
import { type AllRequests, type Requests, requestsOf, sumOf } from '../../lib/contract/requests.ts'
import { functionName } from '../../lib/contract/route.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import type { LambdaHost } from '../../local/lambda/lambda-host.ts'
import { numbers } from '../../local/samples/samples.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { rowOf } from '../support/operations.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { type RequestCounts, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const requestsBy = (id: OperationId): AllRequests => requestsOf(rowOf(id), operations[id].requests)

/** The requests of an operation, with other numbers for this size. */
const sized = (id: OperationId, numbers: Requests): ColdAndWarm => {
  const { each, first, firstOfKey } = requestsBy(id)
  const warm = { ...each, ...numbers }
  return [sumOf(warm, first, firstOfKey), warm]
}

/** The requests of the first call of a container, and of the next call with the same API key. */
type ColdAndWarm = [cold: Requests, warm: Requests]

/**
 * For this number of NFTs of one contract in one wallet: the product with the player, and a page for each 100, whatever
 * the allowlist.
 */
const forWallet = (length: number) => {
  const pages = Math.ceil(length / 100)
  return sized('getRawMetadata', { getNFTsForOwner: pages, BatchGetItem: 1 + pages })
}

/** For this number of NFTs on the allowlist of one contract. */
const forAllowlist = (length: number) => ({
  // A contract that is new to the product, with its description.
  allowlistNfts: sized('allowlistNfts', { Query: 1, PutItem: 2 + 1, BatchWriteItem: length / 25 }),
  // The contracts, and the NFTs in pages of 1 MB, at 132 bytes each.
  getAllowedNfts: sized('getAllowedNfts', { Query: 1 + Math.ceil((length * 132) / 1_048_576) }),
  // The contracts, and up to 200 NFTs in pages of 100; the rest is counted in pages of 1 MB.
  refreshMetadata: sized(
    'refreshMetadata',
    length > 200
      ? {
          Query: 1 + 2 + Math.ceil(((length - 200) * 132) / 1_048_576),
          getNFTMetadataBatch: 2 * 2,
          SendMessage: 1,
        }
      : {},
  ),
})

// The worker deletes 1,000 at a time, until nothing is left. The description is an item too.
const sweepOf = (length: number): Requests => ({
  GetItem: 1,
  Query: Math.ceil((length + 1) / 1_000) + 1,
  BatchWriteItem: length / 25 + 1,
})

// The worker continues a refresh with 100 remaining NFTs, reads the product for each 100, and once more before it
// writes the usage of the product (D55).
const refreshOfRest: Requests = {
  ...{ GetItem: 3 + 1, Query: 1, PutItem: 1, UpdateItem: 1 + 1 },
  getNFTMetadataBatch: 2,
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

describe('Budget: the first call of a container, and the first one with another API key', () => {
  test.each(operationIds)('%s', async (id) => {
    const host = service.newContainers()
    const { each, first, firstOfKey, units } = requestsBy(id)
    const { GetItem: read = 0 } = firstOfKey
    for (const counts of [sumOf(each, firstOfKey, first), sumOf(each, firstOfKey)]) {
      const sent = await acceptedRequest(service, id)
      const use = await service.useOf(() => accepted(host, id, sent))
      const expected = { counts, units: { ...units, read: units.read + read } }
      expect(use, `\`requests\` of functions/${functionName(id)}/operation.ts`).toEqual(expected)
    }
  })
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
  // A deployment without webhooks.
  const { counts, ask, work } = newMeasurement({ WEBHOOK_QUEUE_URL: '' })
  const large = newMeasurement()

  beforeAll(async () => {
    const product = { apiKey: await service.newProduct() }
    const [long, short] = [newAddress(), newAddress()]
    const unbinding = (contractAddress: string) => ({
      ...product,
      query: { contractAddress, chain: 'POLYGON' },
    })
    const tokens = numbers(20_001, 20_002)
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
  })

  test.each(['unbindContract', 'unbindNfts'] as const)('%s: as for any length', (name) => {
    expect(counts[name]).toEqual(sized(name, {}))
  })

  test.each(['getRawMetadata', 'getStructuredMetadata'])('%s: as for any length', (name) => {
    expect(counts[name]).toEqual(forWallet(10))
    expect(large.counts[name]).toEqual(forWallet(1_000))
  })

  test('getAllowedNfts: one request for each megabyte', () => {
    expect(counts['getAllowedNfts']).toEqual(forAllowlist(length).getAllowedNfts)
  })

  // The next call of the container has about 100 NFTs, because writing many is expensive.
  test.each(['allowlistNfts', 'refreshMetadata'] as const)('%s', (name) => {
    const [[cold], [, warm]] = [forAllowlist(length)[name], forAllowlist(100)[name]]
    expect(counts[name]).toEqual([cold, warm])
  })

  test('sweep', () => expect(counts['sweep']).toEqual([sweepOf(length), sweepOf(100)]))
})

test('D121: a deployment with webhooks tells them of a contract that is new, and of nothing else', async () => {
  const { counts, ask } = newMeasurement()
  const product = { apiKey: await service.newProduct() }
  const contract = newAddress()
  for (const length of [1, 2]) {
    await ask('allowlistNfts', { ...product, ...allowlisting(contract, length) })
  }
  expect(counts['allowlistNfts']?.map(({ SendMessage = 0 }) => SendMessage)).toEqual([1, 0])
})

test('Budget: the worker continues a refresh', async () => {
  const { counts, ask, work } = newMeasurement()
  const product = { apiKey: await service.newProduct() }
  for (const contract of [newAddress(), newAddress()]) {
    await holderOf(contract, 1)
    await ask('allowlistNfts', { ...product, ...allowlisting(contract, 300) })
    await ask('refreshMetadata', { ...product, body: { smartContract: contract } })
    await work('refresh', service.messages().at(-1))
  }
  expect(counts['refresh']).toEqual([sumOf(refreshOfRest, { GetSecretValue: 1 }), refreshOfRest])
})

test('D74: verifying a token: one GetPublicKey for each key, once for each container, if the deployment read none', async () => {
  const { playerTokenKeyArn, userJwtKeyArn } = service.stack.resources
  const keys = `${userJwtKeyArn},${playerTokenKeyArn}`
  const { counts, ask } = newMeasurement({
    ...{ PLAYER_TOKEN_KEY_ARNS: keys, PLAYER_TOKEN_PUBLIC_KEYS: '' },
  })
  const { playerToken } = await service.newPlayer([])
  await ask('getPlayerDetails', { playerToken })
  await ask('getPlayerDetails', { playerToken })
  const [cold, warm] = [{ GetItem: 1, GetPublicKey: 2 }, { GetItem: 1 }]
  expect(counts['getPlayerDetails']).toEqual([cold, warm])
})
