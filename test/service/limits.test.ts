import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import type { LimitName } from '../../lib/domain/limit/limit.ts'
import { prodSettings } from '../support/prod-settings.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { keyIn } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { productWith } from '../support/requests/reading.ts'
import { webhookIn, webhooksOf } from '../support/requests/webhooks.ts'
import { serviceTemplate } from '../support/service-template.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress, registration } from '../support/services/service.ts'

const service = await startCountedService()

/** Later than every credential of these tests is issued, and before it expires. */
const later = Date.now() + 600_000

const apiKey = await service.newProduct()

/** The answers of 4.2 and of a change of the product, in containers with these variables. */
async function productsWith(variables: Record<string, string>) {
  const host = service.newContainers(variables)
  const read = await invokeFunction(host, 'getProduct', { apiKey })
  const changed = await invokeFunction(host, 'updateProduct', { apiKey, body: { name: 'Lamps' } })
  const unchanged = await invokeFunction(host, 'updateProduct', { apiKey, body: {} })
  return [read, changed, unchanged].map(({ json }) => json.data)
}

const everyLimit = {
  INDEXER_CALLS_PER_PRODUCT_AND_MINUTE: '75',
  INDEXER_CALLS_PER_PRODUCT_AND_DAY: '520',
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE: '37',
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY: '260',
  CLIENT_READS_PER_PLAYER_AND_MINUTE: '30',
  ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE: '60000',
  NFTS_PER_PRODUCT: '1000000',
  NEW_KEYS_PER_PRODUCT_AND_DAY: '100',
}

describe('D64: the limits of a product', () => {
  test('D64: 4.2 and a change of the product list every limit of the product', async () => {
    for (const { limits } of await productsWith(everyLimit)) {
      expect(limits).toEqual([
        { name: 'indexer_calls_by_minute', count: 75, perSeconds: 60 },
        { name: 'indexer_calls_by_day', count: 520, perSeconds: 86_400 },
        { name: 'client_indexer_calls_by_minute', count: 37, perSeconds: 60 },
        { name: 'client_indexer_calls_by_day', count: 260, perSeconds: 86_400 },
        { name: 'client_reads', count: 30, perSeconds: 60 },
        { name: 'allowlisted_nfts', count: 60_000, perSeconds: 60 },
        { name: 'nfts', count: 1_000_000 },
        { name: 'new_keys', count: 100, perSeconds: 86_400 },
      ])
    }
  })

  test('D64: limits that are off are not listed, and without limits there is no list', async () => {
    for (const { limits } of await productsWith({ NFTS_PER_PRODUCT: '5' })) {
      expect(limits).toEqual([{ name: 'nfts', count: 5 }])
    }
    for (const product of await productsWith({})) expect(product).not.toHaveProperty('limits')
  })

  test('D64: both functions of a deployment know every limit', () => {
    const functions = serviceTemplate(prodSettings).all('AWS::Lambda::Function')
    for (const name of ['get-product', 'update-product']) {
      const [, found] = functions.find(
        ([, { Properties }]) => Properties.FunctionName === `PlayerNfts-prod-${name}`,
      ) as (typeof functions)[number]
      expect(Object.keys(found.Properties.Environment.Variables)).toEqual(
        expect.arrayContaining(Object.keys(everyLimit)),
      )
    }
  })
})

const host = service.newContainers({ NEW_KEYS_PER_PRODUCT_AND_DAY: '3' })

const create = (apiKey: string, body: Record<string, unknown> = {}) =>
  invokeFunction(host, 'createKey', {
    apiKey,
    body: { label: 'Game servers', scope: 'MANAGE', ...body },
  })

const rotate = (apiKey: string, keyId: string) =>
  invokeFunction(host, 'rotateKey', { apiKey, path: { keyId }, body: {} })

test('D46, D47: a product creates the count of keys in a day, also by rotating keys; another product goes on', async () => {
  const [loop, other] = [await service.newProduct(), await service.newProduct()]
  const { keyId } = keyIn(await create(loop))
  keyIn(await create(loop))
  keyIn(await rotate(loop, keyId))
  for (const refused of [await create(loop), await rotate(loop, keyId)]) {
    expectProblem(refused, 'rate_limited')
    expect(refused.json.limit).toEqual({ name: 'new_keys', count: 3, perSeconds: 86_400 })
  }
  // A fault of the input is reported only to callers below their limit.
  expectProblem(await create(loop, { scope: 'nonsense' }), 'rate_limited')
  keyIn(await create(other))
  // Ending a key and listing keys have no limit.
  const ended = await invokeFunction(host, 'endKey', { apiKey: loop, path: { keyId } })
  expect(ended.status, ended.text).toBe(200)
  expect((await invokeFunction(host, 'listKeys', { apiKey: loop })).status).toBe(200)
})

test('D121: a webhook is replayed as often as its limit of an hour says; another one goes on', async () => {
  const limited = service.newContainers({ WEBHOOK_REPLAYS_PER_HOUR: '2' }, later)
  const apiKey = await service.newProduct()
  const { create } = webhooksOf(service.call, apiKey)
  const replayed = async () => {
    const path = { webhookId: webhookIn(await create()).webhookId }
    return async () => await invokeFunction(limited, 'replayWebhook', { apiKey, path })
  }
  const [replay, other] = [await replayed(), await replayed()]
  expect([(await replay()).status, (await replay()).status]).toEqual([200, 200])
  expectProblem(await replay(), 'rate_limited')
  expect((await other()).status).toBe(200)
})

test('D47, D51: the indexer calls of games without an API key end at their share, while calls with the key go on', async () => {
  const limits = {
    INDEXER_CALLS_PER_PRODUCT_AND_DAY: '200',
    CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY: '100',
  }
  // What a read does not use is given back less the time since then. While this time passes, less than a call can be lost
  // of the product, and its last read leaves one call for another.
  const host = service.newContainers(limits, later)
  const contract = { chain: 'POLYGON', address: newAddress(), tokenIds: ['1'] }
  const apiKey = await productWith(service, contract)
  const open = { apiKey, body: { clientAccess: true } }
  const { productId } = (await service.call('PATCH /product', open)).json.data
  const wallets = Array.from({ length: 20 }, newAddress)
  const { playerToken } = await service.newPlayer(wallets)
  const [keyed, client] = [
    { apiKey, playerToken },
    { playerToken, query: { productId } },
  ]
  const read = (sent: Sent) => invokeFunction(host, 'getRawMetadata', sent)
  /** Reads until it is refused, at most 20 times. Returns the number of reads before, and the limit. */
  const drain = async (sent: Sent): Promise<[number, Received]> => {
    for (let calls = 0; calls < 20; calls += 1) {
      const answer = await read(sent)
      if (answer.status !== 200) return [calls, answer]
    }
    throw new Error('the request is never refused')
  }

  // Reads with the key take nothing from the share. The third one reserves as many calls as the second and makes one: the
  // share gets none of the others.
  const single = await service.newPlayer(wallets.slice(0, 1))
  for (const sent of [client, keyed, { ...keyed, playerToken: single.playerToken }]) {
    expect((await read(sent)).status).toBe(200)
  }
  const [reads, refusal] = await drain(client)
  expect(reads).toBe(100 / 20 - 1)
  expectProblem(refusal, 'rate_limited')
  const share = { name: 'client_indexer_calls_by_day', count: 100, perSeconds: 86_400 }
  expect(refusal.json.limit).toEqual(share)
  const another = service.newContainers(limits, later)
  expectProblem(await invokeFunction(another, 'getStructuredMetadata', client), 'rate_limited')
  for (let round = 0; round < 3; round += 1) expect((await read(keyed)).status).toBe(200)
  expectProblem(await read(client), 'rate_limited')
  // Both together end at the limit of the product.
  const [rest, last] = await drain(keyed)
  expect([rest, last.json.limit.name]).toEqual([1, 'indexer_calls_by_day'])
})

describe('D47: the limits of a deployment', () => {
  const allowlisting = (apiKey: string, contractAddress: string, first: number, count: number) => ({
    apiKey,
    body: allowlistingBody({ contractAddress, tokens: numbers(first, first + count - 1) }),
  })

  test.each<[LimitName, OperationId, () => Promise<Sent>]>([
    ['registrations', 'registerProduct', async () => ({ body: registration() })],
    ['player_tokens', 'createPlayerToken', async () => ({ userJwt: await service.userJwt() })],
    ['player_details', 'getPlayerDetails', () => service.newPlayer()],
    [
      'allowlisted_nfts',
      'allowlistNfts',
      async () => allowlisting(await service.newProduct(), newAddress(), 1, 600),
    ],
  ])('D47: the limit %s ends %s', async (name, id, request) => {
    const host = service.newContainers(
      {
        ...{ REGISTRATIONS_PER_HOUR: '1', PLAYER_TOKENS_PER_USER_AND_HOUR: '1' },
        PLAYER_DETAILS_PER_PLAYER_AND_MINUTE: '1',
        ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE: '600',
      },
      later,
    )
    const sent = await request()
    expect((await invokeFunction(host, id, sent)).status).toBe(200)
    const refused = await invokeFunction(host, id, sent)
    expectProblem(refused, 'rate_limited')
    expect(refused.json.limit.name).toBe(name)
  })

  test('D47: NFTs on all lists; the upper bound is counted exactly before it refuses', async () => {
    const host = service.newContainers({ NFTS_PER_PRODUCT: '100' }, later)
    const apiKey = await service.newProduct()
    const [a, b] = [newAddress(), newAddress()]
    const send = async (address: string, first: number, count: number) =>
      (await invokeFunction(host, 'allowlistNfts', allowlisting(apiKey, address, first, count)))
        .status
    // The same 60 NFTs three times: the bound would be 180, and the count is 60.
    expect(await send(a, 1, 60)).toBe(200)
    expect(await send(a, 1, 60)).toBe(200)
    expect(await send(a, 1, 60)).toBe(200)
    expect(await send(b, 1, 45)).toBe(429)
  })

  test('D47: a product with the maximum is refused, and counted once in some minutes', async () => {
    const host = service.newContainers({ NFTS_PER_PRODUCT: '100' }, later)
    const apiKey = await service.newProduct()
    const send = (first: number) =>
      invokeFunction(host, 'allowlistNfts', allowlisting(apiKey, newAddress(), first, 50))
    for (const answer of [await send(1), await send(1)]) expect(answer.status).toBe(200)
    const answers: Received[] = []
    const countedLists: string[] = []
    service.interfere(({ action, body }) => {
      if (action === 'Query' && body.Select === 'COUNT') countedLists.push(JSON.stringify(body))
      return undefined
    })
    const counts = await service.countsOf(async () => {
      for (let call = 0; call < 5; call += 1) answers.push(await send(1))
    })
    service.interfere(() => undefined)
    for (const answer of answers) expectProblem(answer, 'rate_limited')
    expect(answers[0]?.json.limit).toEqual({ name: 'nfts', count: 100 })
    expect(answers[0]?.headers.get('retry-after')).toBe('300')
    // One query for the list of each of the two contracts.
    expect(countedLists).toHaveLength(2)
    expect(counts['BatchWriteItem']).toBeUndefined()
  })
})
