import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { dynamoRefreshes } from '../../../lib/adapters/dynamodb/refreshes.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { BindingId } from '../../../lib/domain/nft/nft.ts'
import type { PageMark } from '../../../lib/domain/reading/reading-position.ts'
import type { ContractPages, RefreshState } from '../../../lib/domain/refresh/refresh-state.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { expectOneOf, newProductId, passSeconds, startTable } from './stored-fixture.ts'

const { loseOnce, requestsOf, table } = await startTable()
const refreshes = dynamoRefreshes(table)

const passCooldown = () => passSeconds(15 * 60)

const contract = {
  chain: 'BSC',
  address: addressOf(1),
  bindingId: 'binding' as BindingId,
} as const
const done = { checked: 1, changed: 0, failed: 0, pending: 0 }
const at = (number: number) => ({ position: `${number}` as TokenId })

async function begun() {
  const productId = newProductId()
  const state = (await refreshes.start(productId, contract)) as RefreshState
  return {
    ...{ productId, state },
    get: () => refreshes.get(productId, contract),
    begin: () => refreshes.start(productId, contract),
    advance: (from: RefreshState, to: object) =>
      refreshes.advance(productId, contract, from, to as RefreshState),
  }
}

describe('D31: refreshes', () => {
  test('D31: start without results, separately for each product, contract and chain', async () => {
    const { productId, state, get, begin } = await begun()
    expect(state).toEqual({
      refreshId: expect.any(String),
      bindingId: contract.bindingId,
      refreshedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      checked: 0,
      changed: 0,
      failed: 0,
    })
    expect(await get()).toEqual(state)
    expect(await begin()).toBeUndefined()
    expect(await refreshes.start(productId, { ...contract, chain: 'POLYGON' })).toBeDefined()
    expect(await refreshes.start(newProductId(), contract)).toBeDefined()
  })

  test('D47: connecting the contract again does not allow a new refresh before its time', async () => {
    const { productId, state, get, advance } = await begun()
    const again = { ...contract, bindingId: 'another' as BindingId }
    await advance(state, { ...state, ...done })
    expect(await refreshes.start(productId, again)).toBeUndefined()
    passCooldown()
    const anew = await refreshes.start(productId, again)
    expect(anew?.refreshId).not.toBe(state.refreshId)
    expect(await get()).toEqual(anew)
  })

  test('D31: of eight simultaneous starts one succeeds', async () => {
    const productId = newProductId()
    await expectOneOf(8, () => refreshes.start(productId, contract))
  })

  test('D31: a reported refresh prevents the next for 15 minutes', async () => {
    const { state, begin, advance } = await begun()
    await advance(state, { ...state, ...done })
    passSeconds(14 * 60 + 55)
    expect(await begin()).toBeUndefined()
    passSeconds(6)
    const next = await begin()
    expect(next?.refreshId).not.toBe(state.refreshId)
    expect(next).not.toHaveProperty('pending')
  })

  test('D31: a refresh without a report prevents the next for 60 s', async () => {
    const { begin } = await begun()
    passSeconds(55)
    expect(await begin()).toBeUndefined()
    passSeconds(6)
    expect(await begin()).toBeDefined()
  })

  test('D31: an abandoned refresh allows the next at once, and abandons no other refresh', async () => {
    const { productId, state, get, begin } = await begun()
    await refreshes.abandon(productId, contract, { ...state, refreshId: randomUUID() })
    expect(await get()).toEqual(state)
    await refreshes.abandon(productId, contract, state)
    expect(await get()).toBeUndefined()
    expect(await begin()).toBeDefined()
  })

  test('D38: the next refresh knows what failed refreshes left, until one has checked all NFTs', async () => {
    const { productId, state, get, begin, advance } = await begun()
    const checked = { ...state, ...at(5), pending: 3 }
    await advance(state, checked)
    passCooldown()
    const second = (await begin()) as RefreshState
    expect(second.unsettled).toEqual({ since: state.refreshedAt, after: at(5).position })
    expect(await get()).toEqual(second)
    await refreshes.abandon(productId, contract, second)
    const third = (await begin()) as RefreshState
    expect(third.unsettled).toEqual(second.unsettled)
    expect(await get()).toEqual(third)
    await advance(third, { ...third, ...at(9), pending: 0 })
    passCooldown()
    expect(await begin()).not.toHaveProperty('unsettled')
  })

  test('a refresh advances only from its current position', async () => {
    const { state, get, advance } = await begun()
    const [first, second] = [
      { ...state, ...done, ...at(5) },
      { ...state, ...done, ...at(9) },
    ]
    expect(await advance(first, second)).toBe(false)
    expect(await advance(state, first)).toBe(true)
    expect(await advance(state, second)).toBe(false)
    expect(await get()).toEqual(first)
    expect(await advance(first, second)).toBe(true)
    expect(await advance({ ...second, refreshId: randomUUID() }, first)).toBe(false)
    expect(await get()).toEqual(second)
  })

  test('of eight simultaneous deliveries at the same position one advances', async () => {
    const { state, advance } = await begun()
    await expectOneOf(8, (index) => advance(state, { ...state, ...at(index) }))
  })

  test('a lost response does not make a start fail because of its own refresh', async () => {
    loseOnce('PutItem')
    const begin = async () => expect((await begun()).state).toBeDefined()
    expect(await requestsOf(begin)).toEqual(['PutItem', 'PutItem'])
  })
})

/** The pages of a contract after these many pages. */
const pagesAfter = (read: number): ContractPages => ({
  pageKey: `page ${read}`,
  progress: { pages: read, emptyPages: 0, anchor: 'anchored' as PageMark },
  read,
  skipped: 3,
  upTo: '77' as TokenId,
})

describe('D47, D59: refreshes that end before they have checked everything', () => {
  test('D47: the refresh after one that checked the maximum begins where it ended', async () => {
    const { state, begin, advance } = await begun()
    await advance(state, { ...state, pending: 0, ...at(300), continuesAfter: '300' })
    expect(await begin()).toBeUndefined()
    passCooldown()
    const next = (await begin()) as RefreshState
    expect(next).toMatchObject({ checked: 0, position: '300' })
    expect(next).not.toHaveProperty('continuesAfter')
    expect(await advance(next, { ...next, pending: 0, ...at(450) })).toBe(true)
    passCooldown()
    expect(await begin()).not.toHaveProperty('position')
  })

  test('D47, D59: the refresh after one that ended at a page of the contract begins with the next page', async () => {
    const { state, get, begin, advance } = await begun()
    const continuesAtPage = { ...pagesAfter(3), read: 0, skipped: 0 }
    const ended = { ...state, pending: 0, contractPages: pagesAfter(3), continuesAtPage }
    expect(await advance(state, ended)).toBe(true)
    expect(await get()).toMatchObject(ended)
    passCooldown()
    const next = await begin()
    expect(next).toMatchObject({ checked: 0, contractPages: continuesAtPage })
    expect(next).not.toHaveProperty('continuesAtPage')
  })

  test('D59: of two deliveries at the same page of a contract, one advances', async () => {
    const { state, get, advance } = await begun()
    const atPage = (read: number) => ({ ...state, pending: 1, contractPages: pagesAfter(read) })
    expect(await advance(state, atPage(1))).toBe(true)
    expect(await advance(state, atPage(1))).toBe(false)
    expect(await advance(atPage(1), atPage(2))).toBe(true)
    expect(await advance(atPage(1), atPage(2))).toBe(false)
    expect(await get()).toMatchObject(atPage(2))
  })

  test('D38, D59: the refresh after one that stopped at a page knows which NFTs were counted', async () => {
    const { state, begin, advance } = await begun()
    await advance(state, { ...state, pending: 1, ...at(5), contractPages: pagesAfter(2) })
    passCooldown()
    expect(await begin()).toMatchObject({
      unsettled: { since: state.refreshedAt, after: '5', rangesAfter: '77' },
    })
  })
})
