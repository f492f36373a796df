import { describe, expect, test } from 'vitest'
import { RateLimited } from '../../../lib/domain/failures.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { endAccess, gamesWithAccess } from '../../../lib/domain/sign-in/games-with-access.ts'
import { beginFamily, renewFamily } from '../../../lib/domain/sign-in/refresh-families.ts'
import type { RefreshToken } from '../../../lib/domain/sign-in/refresh-family.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { storedProduct } from '../../support/memory/http-chain.ts'
import { killEverywhere } from '../../support/memory/interruptions.ts'
import type { Tap } from '../../support/memory/memory-ports.ts'
import { signInWorld } from '../../support/sign-in/sign-in-world.ts'

const product = 'a-product' as ProductId
const other = 'another-product' as ProductId
const start = Date.UTC(2026, 10, 26)
const day = 24 * 3_600_000

const begun = {
  ...{ userId: 7, familyId: 'first', productId: product },
  ...{ wallet: addressOf(1), beganAt: start },
}

/** Two users who have wallet 1. */
const users = () => signInWorld({ 7: [addressOf(1)], 8: [addressOf(1)] })

/** The families of a user, with a first one. */
async function firstFamily() {
  const world = users()
  const { ports } = world
  const token = await beginFamily(begun, start, ports().families)
  const renew = async (renewed: RefreshToken, at = start, productId = product, tap?: Tap) =>
    (await renewFamily(renewed, productId, at, ports(tap)))?.family.counter
  return { ...world, token, renew, next: { ...token, counter: 1 } }
}

describe('D99: a refresh token', () => {
  test('is replaced by the next one, for 30 days after the signature', async () => {
    const { token, renew, families } = await firstFamily()
    expect(await renew(token)).toBe(1)
    expect(await renew({ ...token, counter: 1 }, start + 20 * day)).toBe(2)
    expect(await renew({ ...token, counter: 2 }, start + 30 * day - 1)).toBe(3)
    expect(await renew({ ...token, counter: 3 }, start + 30 * day)).toBeUndefined()
    expect([...families.values()]).toMatchObject([{ counter: 3, wallet: addressOf(1) }])
  })

  test('D118: that was just used is replaced by the same one again for a minute', async () => {
    const { token, next, renew } = await firstFamily()
    expect(await renew(token)).toBe(1)
    expect(await renew(token, start + 59_999)).toBe(1)
    expect(await renew(next, start + 59_999)).toBe(2)
  })

  test.each([
    ['a minute ago', 0, 60_000],
    ['before the latest', 1, 0],
  ])('that was used %s ends its family', async (_, more, later) => {
    const { token, next, renew, families } = await firstFamily()
    expect(await renew(token)).toBe(1)
    if (more > 0) expect(await renew(next)).toBe(2)
    expect(await renew(token, start + later)).toBeUndefined()
    expect(families.size).toBe(0)
    expect(await renew({ ...token, counter: 1 + more }, start + later)).toBeUndefined()
  })

  test('of another product, of another user, or of the future changes nothing', async () => {
    const { token, renew, families } = await firstFamily()
    expect(await renew(token, start, other)).toBeUndefined()
    expect(await renew({ ...token, userId: 8 })).toBeUndefined()
    expect(await renew({ ...token, counter: 1 })).toBeUndefined()
    expect([...families.values()]).toMatchObject([{ counter: 0 }])
  })

  test('that arrives many times at once is replaced by one', async () => {
    const { token, renew, families } = await firstFamily()
    const renewed = await Promise.all(Array.from({ length: 20 }, () => renew(token)))
    expect(new Set(renewed)).toEqual(new Set([1]))
    expect([...families.values()]).toMatchObject([{ counter: 1 }])
  })

  test('D103: counts as a player token, and is of use later if the limit refuses it', async () => {
    const { token, next, renew, tokensLeft } = await firstFamily()
    tokensLeft.set(7, 2)
    await renew(token)
    await renew(token)
    await expect(renew(token)).rejects.toThrow(RateLimited)
    await expect(renew(next)).rejects.toThrow(RateLimited)
    tokensLeft.set(7, 1)
    expect(await renew(next)).toBe(2)
    // A token that is not valid counts nothing.
    expect(await renew({ ...token, counter: 9 })).toBeUndefined()
    expect(await renew(token)).toBeUndefined()
  })

  test('of a family that ends meanwhile is refused', async () => {
    const { token, families, renew } = await firstFamily()
    const ending: Tap = (call) => call === 'families.renew' && families.clear()
    expect(await renew(token, start, product, ending)).toBeUndefined()
  })

  test('is still of use after a crash at any moment, within a minute', async () => {
    const moments = await killEverywhere(
      firstFamily,
      ({ token, renew }, tap) => renew(token, start, product, tap),
      async ({ token, renew }) => expect(await renew(token, start + 1)).toBe(1),
    )
    expect(moments).toBe(10)
  })
})

test('D99, D118: a user has at most ten families for a product: a new one ends that which was not used for longest, however old its signature is', async () => {
  const { families: stored, ports } = users()
  const begin = async (familyId: string, productId: ProductId, at: number, userId = 7) => {
    const family = { ...begun, familyId, productId, userId, beganAt: start - at }
    await beginFamily(family, start + at, ports().families)
    expect([...stored.keys()]).toContain(`${userId} ${familyId}`)
  }
  await begin('of another product', other, 0)
  await begin('of another user', product, 0, 8)
  for (let count = 12; count > 0; count -= 1) {
    await begin(`${count}`, product, (count % 5) * day + count)
  }
  const left = [...stored.values()].map(({ familyId }) => familyId)
  expect(left.filter((familyId) => familyId.startsWith('of'))).toHaveLength(2)
  expect(left).toHaveLength(12)
  expect(left).not.toContain('5')
  expect(left).not.toContain('10')
})

const [one, two, gone] = ['one', 'two', 'gone'] as unknown as [ProductId, ProductId, ProductId]

/** User 7 has access to three games, and user 8 to one. */
async function newUsers() {
  const ports = {
    ...signInWorld({ 7: [addressOf(1)], 8: [addressOf(8)] }).ports(),
    productAccess: {
      get: async (productId: ProductId) =>
        productId === gone ? undefined : storedProduct({ productId }),
    },
  }
  const begin = (productId: ProductId, beganAt: number, userId = 7, wallet = addressOf(1)) =>
    beginFamily(
      { ...{ userId, productId, wallet, beganAt }, familyId: `${userId} ${productId} ${beganAt}` },
      beganAt,
      ports.families,
    )
  await begin(one, start)
  await begin(one, start + day)
  await begin(two, start + 2 * day)
  await begin(gone, start)
  await begin(one, start, 8, addressOf(8))
  const games = async (now = start + 3 * day, userId = 7) =>
    (await gamesWithAccess(userId, now, ports)).map(({ productId, until, product }) => [
      ...[productId, until - start, product?.productId],
    ])
  return { ports, games, begin }
}

test('D108: the games with access are those with a refresh token that is valid, each until its latest ends', async () => {
  const { games, ports, begin } = await newUsers()
  const all = [
    [two, 32 * day, two],
    [one, 31 * day, one],
    [gone, 30 * day, undefined],
  ]
  expect(await games()).toEqual(all)
  await begin(two, start + 3 * day, 7, addressOf(9))
  expect(await games()).toEqual(all)
  expect(await games(start + 30 * day)).toEqual(all.slice(0, 2))
  expect(await games(start + 32 * day)).toEqual([])
  await ports.walletLists.signOut(7, start + day)
  expect(await games()).toEqual(all.slice(0, 1))
})

test('D108: the access of one game ends, and that of others stays', async () => {
  const { games, ports } = await newUsers()
  await endAccess(7, one, ports)
  await endAccess(7, one, ports)
  expect((await games()).map(([productId]) => productId)).toEqual([two, gone])
  expect(await games(start, 8)).toHaveLength(1)
})
