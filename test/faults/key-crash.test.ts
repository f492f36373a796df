import { beforeAll, describe, expect, test } from 'vitest'
import { type KeyEntry, keyIn, keysOf } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import {
  type KillableService,
  killAfterEachWrite,
  startKillableService,
} from '../support/services/killable-service.ts'

let service: KillableService

beforeAll(async () => {
  service = await startKillableService()
})

/** A product with its key of registration, and a further key. */
async function newProduct() {
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

const get = (apiKey: string) => service.call('GET /product', { apiKey })
const ended = (list: readonly KeyEntry[]) => list.filter(({ endedAt }) => endedAt !== null)
const working = (list: readonly KeyEntry[]) => list.filter(({ endedAt }) => endedAt === null)

describe('D46: a process is killed after any of its writes, and the next request goes to another process', () => {
  test('D46: creating a key', async () => {
    const writes = await killAfterEachWrite(service, async () => {
      const { keys, doomed } = await newProduct()
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
      const { apiKey, keyId, keys, doomed } = await newProduct()
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
      const { other, keys, keyId, doomed } = await newProduct()
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
      const { other, keys, doomed } = await newProduct()
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
