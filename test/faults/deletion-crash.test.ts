import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { numbers } from '../../local/samples/samples.ts'
import { type StoredKeys, storedKeysIn } from '../support/aws/stored-keys.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { type KeyEntry, keyIn, keysOf } from '../support/requests/keys.ts'
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
})

/** A product with its key of registration, and a further key. */
async function newProductWithKey() {
  const apiKey = await service.newProduct()
  const keys = keysOf(service.call, apiKey)
  const other = keyIn(await keys.create({ label: 'Other' }))
  const [registration] = await keys.list()
  return {
    apiKey,
    keyId: registration?.keyId ?? '',
    other,
    keys,
    doomed: keysOf(service.doomed.call, apiKey),
  }
}

const ended = (list: readonly KeyEntry[]) => list.filter(({ endedAt }) => endedAt !== null)

const working = (list: readonly KeyEntry[]) => list.filter(({ endedAt }) => endedAt === null)

describe('D46: a process is killed after any of its writes, and the next request goes to another process', () => {
  test('D46: creating a key', async () => {
    const writes = await killAfterEachWrite(service, async () => {
      const { keys, doomed } = await newProductWithKey()
      return {
        act: () => doomed.create({ label: 'New' }),
        async afterwards(written) {
          // The set of keys is the set before or the set after the change.
          expect(await keys.list()).toHaveLength(written < 4 ? 2 : 3)
          const { apiKey } = keyIn(await keys.create({ label: 'Again' }))
          expect((await get(apiKey)).status).toBe(200)
        },
      }
    })
    // The record of the key, its digest, and the product, between both writes of the event (D49).
    expect(writes).toBe(5)
  })

  test('D46: rotating a key with an overlap', async () => {
    const writes = await killAfterEachWrite(service, async () => {
      const { apiKey, keyId, keys, doomed } = await newProductWithKey()
      return {
        act: () => doomed.rotate(keyId),
        async afterwards(written) {
          const list = await keys.list()
          const old = list.find((key) => key.keyId === keyId)
          expect([list.length, old?.expiresAt !== null]).toEqual(
            written < 4 ? [2, false] : [3, true],
          )
          expect((await get(apiKey)).status).toBe(200)
          const added = keyIn(await keys.rotate(keyId))
          expect((await get(added.apiKey)).status).toBe(200)
        },
      }
    })
    expect(writes).toBe(5)
  })

  test('D46: rotating a key without an overlap', async () => {
    const writes = await killAfterEachWrite(service, async () => {
      const { other, keys, keyId, doomed } = await newProductWithKey()
      return {
        act: () => doomed.rotate(other.keyId, { overlapSeconds: 0 }),
        async afterwards(written) {
          const isDone = written >= 5
          expect((await get(other.apiKey)).status).toBe(isDone ? 401 : 200)
          const list = await keys.list()
          expect([working(list).length, ended(list).length]).toEqual([2, isDone ? 1 : 0])
          const repeated = await keys.rotate(other.keyId, { overlapSeconds: 0 })
          if (isDone) expectProblem(repeated, 'key_ended')
          else expect((await get(keyIn(repeated).apiKey)).status).toBe(200)
          expect((await get(other.apiKey)).status).toBe(401)
          expect(working(await keys.list()).map((key) => key.keyId)).toContain(keyId)
        },
      }
    })
    // How the old key ends, the record and the digest of the new key, the product; then what is left of the old key.
    expect(writes).toBe(8)
  })

  test('D46: ending a key', async () => {
    const writes = await killAfterEachWrite(service, async () => {
      const { other, keys, doomed } = await newProductWithKey()
      return {
        act: () => doomed.end(other.keyId),
        async afterwards(written) {
          const isDone = written >= 3
          expect((await get(other.apiKey)).status).toBe(isDone ? 401 : 200)
          expect(ended(await keys.list())).toHaveLength(isDone ? 1 : 0)
          const repeated = await keys.end(other.keyId)
          if (isDone) expectProblem(repeated, 'key_ended')
          else keyIn(repeated)
          expect((await get(other.apiKey)).status).toBe(401)
          const list = await keys.list()
          expect(ended(list)).toMatchObject([{ keyId: other.keyId, endReason: 'deleted' }])
          expect(working(list)).toHaveLength(1)
        },
      }
    })
    // How the key ends, and the product; then the digest of the key, and the expiry of its record.
    expect(writes).toBe(6)
  })
})
