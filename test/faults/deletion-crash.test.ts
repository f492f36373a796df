import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { numbers } from '../../local/samples/samples.ts'
import { type StoredKeys, storedKeysIn } from '../support/aws/stored-keys.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import {
  type KillableService,
  killAfterEachWrite,
  startKillableService,
} from '../support/services/killable-service.ts'
import { newAddress, registration } from '../support/services/service.ts'

let service: KillableService
let dynamodb: DynamoDBDocumentClient
let storedKeys: StoredKeys

beforeAll(async () => {
  service = await startKillableService()
  const { access, resources } = service.aws
  dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient(access))
  storedKeys = storedKeysIn(access, resources.tableName)
  return () => dynamodb.destroy()
})
afterEach(() => service.aws.interfere({}))

const query = { confirm: registration().name }

/** The keys of all items in the table. */
async function itemKeys(): Promise<string[]> {
  const TableName = service.aws.resources.tableName
  const keys: string[] = []
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName })) {
    keys.push(...Items.map(({ pk, sk }) => `${pk}|${sk}`))
  }
  return keys.sort()
}

/** The messages that were sent since `start`. */
const messagesSince = (start: number): string[] =>
  service.aws.proxy.requests
    .slice(start)
    .filter(({ action }) => action === 'SendMessage')
    .map(({ body }) => body.MessageBody)

/** Delivers a message to the worker; returns whether it succeeded. */
async function deliver(body: string): Promise<boolean> {
  const Records = [{ messageId: randomUUID(), body }]
  const result = await service.doomed.host.invoke('work-queue', { Records })
  return result.ok && JSON.parse(result.payload).batchItemFailures.length === 0
}

/** A product with a contract of 60 NFTs, a further key and an ended key; `before`: the table without it. */
async function newProduct() {
  const before = await itemKeys()
  const apiKey = await service.newProduct()
  const keys = keysOf(service.call, apiKey)
  const further = keyIn(await keys.create())
  await keys.end(keyIn(await keys.create()).keyId)
  await allowlist(service.call, apiKey, { contractAddress: newAddress(), tokens: numbers(1, 60) })
  const { product } = await storedKeys.find(apiKey)
  const message = JSON.stringify({
    kind: 'deleteProduct',
    productId: product.pk.replace('PRODUCT#', ''),
  })
  return {
    apiKey,
    further,
    before,
    message,
    product,
    /** Lets everything end that was permitted before the product ended. */
    passAMinute: () => storedKeys.setProduct(apiKey, { endedAt: new Date(0).toISOString() }),
  }
}

const get = (apiKey: string) => service.call('GET /product', { apiKey })

describe('D45: the process of a deletion dies', () => {
  test('after any of its writes: the product goes on or has ended, and a repeat completes the deletion', async () => {
    const writes = await killAfterEachWrite(service, async () => {
      const { apiKey, further, before, passAMinute } = await newProduct()
      const start = service.aws.proxy.requests.length
      return {
        act: () => service.doomed.call('DELETE /product', { apiKey, query }).catch(() => undefined),
        async afterwards(written) {
          const hasEnded = written >= 3
          if (!hasEnded) {
            expect((await get(apiKey)).status).toBe(200)
            // The message of a deletion that did not take place has no effect.
            for (const message of messagesSince(start)) expect(await deliver(message)).toBe(true)
            expect((await service.call('GET /product/tokens', { apiKey })).json.data).toHaveLength(
              60,
            )
            expect((await get(further.apiKey)).status).toBe(200)
            expect((await service.call('DELETE /product', { apiKey, query })).status).toBe(200)
          }
          expectProblem(await service.call('DELETE /product', { apiKey, query }), 'invalid_api_key')
          for (const key of [apiKey, further.apiKey]) {
            expectProblem(await get(key), 'invalid_api_key')
          }
          await passAMinute()
          const messages = messagesSince(start)
          expect(messages.length).toBeGreaterThan(0)
          for (const message of messages) expect(await deliver(message)).toBe(true)
          expect(await itemKeys()).toEqual(before)
        },
      }
    })
    // The message and the event, the end of the product, and the end of the event.
    expect(writes).toBe(4)
  })

  test('in the background, after any of its writes: two deliveries at once complete the deletion', async () => {
    const writes = await killAfterEachWrite(service, async () => {
      const { apiKey, before, message, product, passAMinute } = await newProduct()
      await service.call('DELETE /product', { apiKey, query })
      await passAMinute()
      return {
        act: () => deliver(message),
        async afterwards() {
          // Until everything else is deleted, the product itself stays, so that nothing is forgotten.
          const left = (await itemKeys()).filter((key) => !before.includes(key))
          if (left.length > 0) expect(left).toContain(`${product.pk}|PROFILE`)
          expectProblem(await get(apiKey), 'invalid_api_key')
          expect(await Promise.all([deliver(message), deliver(message)])).toEqual([true, true])
          expect(await itemKeys()).toEqual(before)
        },
      }
    })
    // The 60 NFTs, their contract, the listed keys, the digests of the records, the other items, and the product.
    expect(writes).toBe(3 + 1 + 1 + 1 + 1 + 1)
  })

  test('while DynamoDB fails: the message remains in the queue', async () => {
    const { apiKey, before, message, passAMinute } = await newProduct()
    await service.call('DELETE /product', { apiKey, query })
    await passAMinute()
    for (const failing of ['BatchWriteItem', 'DeleteItem', 'Query', 'GetItem']) {
      service.aws.interfere({
        onRequest: ({ action }) => (action === failing ? 'drop' : undefined),
      })
      expect(await deliver(message)).toBe(false)
      service.aws.interfere({})
    }
    expect(await deliver(message)).toBe(true)
    expect(await itemKeys()).toEqual(before)
  })
})
