import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { tableOf } from '../support/aws/stored-items.ts'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { type KeyEntry, keyIn, keysOf, productWithKeys } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import {
  type Interruption,
  killAfterEachWrite,
  startKillableService,
} from '../support/services/killable-service.ts'
import { newAddress, registration } from '../support/services/service.ts'

const service = await startKillableService()
const { aws, deliver } = service
const storedKeys = storedKeysIn(aws.access, aws.resources.tableName)
const table = tableOf({ stack: { aws: aws.access, resources: aws.resources } })

const query = { confirm: registration().name }

/** The keys of all items in the table. */
const itemKeys = async (): Promise<string[]> =>
  (await table.itemsUnder('')).map(({ pk, sk }) => `${pk}|${sk}`).sort()

/** The messages that were sent since `start`. */
const messagesSince = (start: number): string[] =>
  service.aws.proxy.requests
    .slice(start)
    .filter(({ action }) => action === 'SendMessage')
    .map(({ body }) => body.MessageBody)

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
    // The message and the event, the end of the product, and the end of the event.
    await killAfterEachWrite(service, 4, async () => {
      const { apiKey, further, before, passAMinute } = await newProduct()
      const start = service.aws.proxy.requests.length
      return {
        act: () => service.doomed.call('DELETE /product', { apiKey, query }).catch(() => undefined),
        async afterwards(completed) {
          const hasEnded = completed >= 3
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
  })

  test('in the background, after any of its writes: two deliveries at once complete the deletion', async () => {
    // The 60 NFTs, their contract, the listed keys, the digests of the records, the other items, and the product.
    await killAfterEachWrite(service, 3 + 1 + 1 + 1 + 1 + 1, async () => {
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
  })
})

/** A product with its key of registration, and a further key. */
async function newProductWithKey() {
  const product = await productWithKeys(service)
  const other = keyIn(await product.keys.create({ label: 'Other' }))
  return { ...product, other, doomed: keysOf(service.doomed.call, product.apiKey) }
}

type ProductWithKey = Awaited<ReturnType<typeof newProductWithKey>>

const ended = (list: readonly KeyEntry[]) => list.filter(({ endedAt }) => endedAt !== null)

const working = (list: readonly KeyEntry[]) => list.filter(({ endedAt }) => endedAt === null)

test.each<[string, number, (product: ProductWithKey) => Interruption]>([
  // The record of the key, its digest, and the product, between both writes of the event (D49).
  [
    'creating a key',
    5,
    ({ keys, doomed }) => ({
      act: () => doomed.create({ label: 'New' }),
      async afterwards(completed) {
        // The set of keys is the set before or the set after the change.
        expect(await keys.list()).toHaveLength(completed < 4 ? 2 : 3)
        const { apiKey } = keyIn(await keys.create({ label: 'Again' }))
        expect((await get(apiKey)).status).toBe(200)
      },
    }),
  ],
  [
    'rotating a key with an overlap',
    5,
    ({ apiKey, keyId, keys, doomed }) => ({
      act: () => doomed.rotate(keyId),
      async afterwards(completed) {
        const list = await keys.list()
        const old = list.find((key) => key.keyId === keyId)
        expect([list.length, old?.expiresAt !== null]).toEqual(
          completed < 4 ? [2, false] : [3, true],
        )
        expect((await get(apiKey)).status).toBe(200)
        const added = keyIn(await keys.rotate(keyId))
        expect((await get(added.apiKey)).status).toBe(200)
      },
    }),
  ],
  // How the old key ends, the record and the digest of the new key, the product; then what is left of the old key.
  [
    'rotating a key without an overlap',
    8,
    ({ other, keys, keyId, doomed }) => ({
      act: () => doomed.rotate(other.keyId, { overlapSeconds: 0 }),
      async afterwards(completed) {
        const isDone = completed >= 5
        expect((await get(other.apiKey)).status).toBe(isDone ? 401 : 200)
        const list = await keys.list()
        expect([working(list).length, ended(list).length]).toEqual([2, isDone ? 1 : 0])
        const repeated = await keys.rotate(other.keyId, { overlapSeconds: 0 })
        if (isDone) expectProblem(repeated, 'key_ended')
        else expect((await get(keyIn(repeated).apiKey)).status).toBe(200)
        expect((await get(other.apiKey)).status).toBe(401)
        expect(working(await keys.list()).map((key) => key.keyId)).toContain(keyId)
      },
    }),
  ],
  // How the key ends, and the product; then the digest of the key, and the expiry of its record.
  [
    'ending a key',
    6,
    ({ other, keys, doomed }) => ({
      act: () => doomed.end(other.keyId),
      async afterwards(completed) {
        const isDone = completed >= 3
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
    }),
  ],
])(
  'D46: a process is killed after any write of %s, and the next request goes to another process',
  async (_, writes, interruption) => {
    await killAfterEachWrite(service, writes, async () => interruption(await newProductWithKey()))
  },
)
