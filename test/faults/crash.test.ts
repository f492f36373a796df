import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import type { Call } from '../support/requests/client.ts'
import { type KeyEntry, keyIn, keysOf, productWithKeys } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import {
  type Interruption,
  killAfterEachWrite,
  startKillableService,
} from '../support/services/killable-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startKillableService()

/** A contract of a product of the test's own. */
async function newContract() {
  const apiKey = await service.newProduct()
  // The first use of a key on a day makes a write.
  await service.call('GET /product', { apiKey })
  const query = { chain: 'POLYGON', contractAddress: newAddress() }
  const contractFor = (call: Call) => ({
    allowlist: (tokens: string[]) =>
      call('POST /product/tokens', {
        apiKey,
        body: { ...query, contractDescription: 'A contract to be interrupted.', tokens },
      }),
    unbind: () => call('DELETE /product/contract', { apiKey, query }),
  })
  return {
    ...contractFor(service.call),
    doomed: contractFor(service.doomed.call),
    /** D49: after the first of `writes` writes there is an event, and only the last one settles it. */
    async expectEvent(action: string, completed: number, writes: number): Promise<void> {
      const { json } = await service.call('GET /product/events', { apiKey })
      const [newest] = json.data.filter((event: { action: string }) => event.action === action)
      const isSettled = completed === writes
      if (completed === 0) expect(newest).toBeUndefined()
      else expect(newest).toMatchObject({ outcome: isSettled ? 'done' : 'unknown' })
    },
    async tokenIds(): Promise<string[]> {
      const { status, json, text } = await service.call('GET /product/tokens', { apiKey })
      expect(status, text).toBe(200)
      const entries: { chain: string; address: string; tokenId: string }[] = json.data
      for (const { chain, address } of entries) {
        expect({ chain, contractAddress: address }).toEqual(query)
      }
      return entries.map(({ tokenId }) => tokenId)
    },
  }
}

describe('a process is killed after any of its writes, and the next request goes to another process', () => {
  test('D17: allowlisting a new contract', async () => {
    const tokenIds = numbers(1, 60)
    // Connecting the contract, its description, a message to webhooks and three batches, between both writes of the event.
    await killAfterEachWrite(service, 8, async () => {
      const contract = await newContract()
      return {
        act: () => contract.doomed.allowlist(tokenIds),
        async afterwards(completed) {
          await contract.expectEvent('allowlistNfts', completed, 8)
          expect(tokenIds).toEqual(expect.arrayContaining(await contract.tokenIds()))
          expect((await contract.allowlist(tokenIds)).json.data).toHaveLength(60)
          expect(await contract.tokenIds()).toEqual(tokenIds)
        },
      }
    })
  })

  test('D19: unbinding a contract', async () => {
    const before = numbers(1, 30)
    // The message to the worker is sent before the contract is disconnected. The event has two writes.
    await killAfterEachWrite(service, 4, async () => {
      const contract = await newContract()
      await contract.allowlist(before)
      return {
        act: contract.doomed.unbind,
        async afterwards(completed) {
          // The event and the message are written at the same time.
          if (completed !== 1) await contract.expectEvent('unbindContract', completed, 4)
          const isDone = completed >= 3
          expect(await contract.tokenIds()).toEqual(isDone ? [] : before)
          expect((await contract.unbind()).status).toBe(isDone ? 404 : 200)
          expect(await contract.tokenIds()).toEqual([])
          await contract.allowlist(['31'])
          expect(await contract.tokenIds()).toEqual(['31'])
        },
      }
    })
  })
})

const get = (apiKey: string) => service.call('GET /product', { apiKey })

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
