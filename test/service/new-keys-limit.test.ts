import { expect, test } from 'vitest'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { keyIn } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startCountedService } from '../support/services/counted-service.ts'

const service = await startCountedService()
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
