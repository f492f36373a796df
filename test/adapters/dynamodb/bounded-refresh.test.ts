import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { dynamoRefreshes } from '../../../lib/adapters/dynamodb/refreshes.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import type { Contract } from '../../../lib/domain/nft.ts'
import type { ProductId } from '../../../lib/domain/product.ts'
import type { RefreshState } from '../../../lib/domain/refresh-state.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'

await startTestAws()
const refreshes = dynamoRefreshes(openTable())

afterEach(() => {
  vi.useRealTimers()
})

test('D47: the refresh after one that checked the maximum begins where it ended', async () => {
  const productId = randomUUID() as string as ProductId
  const contract = { chain: 'BSC', address: addressOf(1), bindingId: 'binding' } as Contract
  const begin = async () => (await refreshes.start(productId, contract)) as RefreshState
  const end = (state: RefreshState, more: object) =>
    refreshes.advance(productId, contract, state, { ...state, pending: 0, ...more } as RefreshState)
  const waitForTheNext = () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 })
  }
  const first = await begin()
  await end(first, { position: '300', continuesAfter: '300' })
  expect(await begin()).toBeUndefined()
  waitForTheNext()
  const next = await begin()
  expect(next).toMatchObject({ checked: 0, position: '300' })
  expect(next).not.toHaveProperty('continuesAfter')
  expect(await end(next, { position: '450' })).toBe(true)
  waitForTheNext()
  expect(await begin()).not.toHaveProperty('position')
})
