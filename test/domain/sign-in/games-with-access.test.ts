import { expect, test } from 'vitest'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { endAccess, gamesWithAccess } from '../../../lib/domain/sign-in/games-with-access.ts'
import { beginFamily } from '../../../lib/domain/sign-in/refresh-families.ts'
import { storedProduct } from '../../support/memory/http-chain.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'
import { memoryFamilies } from '../../support/sign-in/memory-families.ts'
import { usersWith, walletPorts } from '../../support/sign-in/memory-wallets.ts'

const start = Date.UTC(2026, 10, 27)
const day = 24 * 3_600_000
const [one, two, gone] = ['one', 'two', 'gone'] as unknown as [ProductId, ProductId, ProductId]

/** User 7 has access to three games, and user 8 to one. */
async function newUsers() {
  const families = memoryFamilies(new Map())
  const ports = {
    ...walletPorts(usersWith({ 7: [addressOf(1)], 8: [addressOf(8)] })),
    families,
    productAccess: {
      get: async (productId: ProductId) =>
        productId === gone ? undefined : storedProduct({ productId }),
    },
  }
  const begin = (productId: ProductId, beganAt: number, userId = 7, wallet = addressOf(1)) =>
    beginFamily(
      { ...{ userId, productId, wallet, beganAt }, familyId: `${userId} ${productId} ${beganAt}` },
      beganAt,
      families,
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
