import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { dynamoRefreshes } from '../../../lib/adapters/dynamodb/refreshes.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { Contract } from '../../../lib/domain/nft/nft.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import type { PageMark } from '../../../lib/domain/reading/reading-position.ts'
import type { ContractPages, RefreshState } from '../../../lib/domain/refresh/refresh-state.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'

await startTestAws()
const refreshes = dynamoRefreshes(openTable())

const newProduct = () => randomUUID() as string as ProductId
const contract = { chain: 'BSC', address: addressOf(1), bindingId: 'binding' } as Contract

/** The pages of a contract after these many pages. */
const pagesAfter = (read: number): ContractPages => ({
  pageKey: `page ${read}`,
  progress: { pages: read, emptyPages: 0, anchor: 'anchored' as PageMark },
  read,
  skipped: 3,
  upTo: '77' as TokenId,
})

const waitForTheNext = () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 })
}

afterEach(() => {
  vi.useRealTimers()
})

test('D47: the refresh after one that checked the maximum begins where it ended', async () => {
  const productId = newProduct()
  const begin = async () => (await refreshes.start(productId, contract)) as RefreshState
  const end = (state: RefreshState, more: object) =>
    refreshes.advance(productId, contract, state, { ...state, pending: 0, ...more } as RefreshState)
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

test('D47, D59: the refresh after one that ended at a page of the contract begins with the next page', async () => {
  const productId = newProduct()
  const first = (await refreshes.start(productId, contract)) as RefreshState
  const continuesAtPage = { ...pagesAfter(3), read: 0, skipped: 0 }
  const ended = { ...first, pending: 0, contractPages: pagesAfter(3), continuesAtPage }
  expect(await refreshes.advance(productId, contract, first, ended)).toBe(true)
  expect(await refreshes.get(productId, contract)).toMatchObject(ended)
  waitForTheNext()
  const next = await refreshes.start(productId, contract)
  expect(next).toMatchObject({ checked: 0, contractPages: continuesAtPage })
  expect(next).not.toHaveProperty('continuesAtPage')
})

test('D59: of two deliveries at the same page of a contract, one advances', async () => {
  const productId = newProduct()
  const first = (await refreshes.start(productId, contract)) as RefreshState
  const at = (read: number) => ({ ...first, pending: 1, contractPages: pagesAfter(read) })
  const advance = async (from: RefreshState, to: RefreshState) =>
    await refreshes.advance(productId, contract, from, to)
  expect(await advance(first, at(1))).toBe(true)
  expect(await advance(first, at(1))).toBe(false)
  expect(await advance(at(1), at(2))).toBe(true)
  expect(await advance(at(1), at(2))).toBe(false)
  expect(await refreshes.get(productId, contract)).toMatchObject(at(2))
})

test('D38, D59: the refresh after one that stopped at a page knows which NFTs were counted', async () => {
  const productId = newProduct()
  const first = (await refreshes.start(productId, contract)) as RefreshState
  const stopped = { ...first, pending: 1, position: '5' as TokenId, contractPages: pagesAfter(2) }
  await refreshes.advance(productId, contract, first, stopped)
  waitForTheNext()
  const { refreshedAt: since } = first
  expect(await refreshes.start(productId, contract)).toMatchObject({
    unsettled: { since, after: '5', rangesAfter: '77' },
  })
})
