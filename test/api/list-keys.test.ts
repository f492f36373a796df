import { describe, expect, test } from 'vitest'
import { type KeyEntry, keyIn, keysOf } from '../support/requests/keys.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()

describe('D46: list the API keys', () => {
  test('D46: the key of registration is listed, without the key itself', async () => {
    const apiKey = await service.newProduct()
    const [key, ...others] = await keysOf(service.call, apiKey).list()
    expect(others).toEqual([])
    expect(key).toMatchObject({ label: 'Registration', scope: 'MANAGE', last4: apiKey.slice(-4) })
    expect(JSON.stringify(key)).not.toContain(apiKey)
    expect(key).not.toHaveProperty('digest')
  })

  test('D46: the keys that work are first, and the latest ended key follows them', async () => {
    const keys = keysOf(service.call, await service.newProduct())
    const created: KeyEntry[] = []
    for (const label of ['One', 'Two', 'Three']) created.push(keyIn(await keys.create({ label })))
    for (const { keyId } of created.slice(0, 2)) keyIn(await keys.end(keyId))
    const list = await keys.list()
    expect(list.map(({ label, endReason }) => [label, endReason])).toEqual([
      ['Registration', null],
      ['Three', null],
      ['Two', 'deleted'],
      ['One', 'deleted'],
    ])
    for (const { endedAt } of list.slice(2)) expect(Date.parse(endedAt ?? '')).toBeGreaterThan(0)
  })
})
