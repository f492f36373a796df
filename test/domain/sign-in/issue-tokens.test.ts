import { describe, expect, test } from 'vitest'
import { randomText } from '../../../lib/adapters/random/random-text.ts'
import { RateLimited, ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { StoredProduct } from '../../../lib/domain/product/stored-product.ts'
import { refreshTokens, tokensOfDevice } from '../../../lib/domain/sign-in/issue-tokens.ts'
import { beginFamily, mintPlayerToken } from '../../../lib/domain/sign-in/refresh-families.ts'
import { removeWallet, signOut } from '../../../lib/domain/sign-in/sign-out.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { storedProduct } from '../../support/memory/http-chain.ts'
import { productId } from '../../support/memory/owned-nfts.ts'
import { permitting, signInWorld } from '../../support/sign-in/sign-in-world.ts'

const start = Date.UTC(2026, 10, 27)
const wallet = addressOf(1)
const family = { userId: 7, productId, wallet, beganAt: start }

/** A game to which user 7 has signed in with the first of two wallets. */
async function newGame() {
  const world = signInWorld({ 7: [wallet, addressOf(2)] })
  world.owners.set(wallet, { generation: 0, userId: 7 })
  const game: { product: StoredProduct | undefined; minted: number; isDown: boolean } = {
    ...{ product: permitting, minted: 0, isDown: false },
  }
  const ports = {
    ...world.ports(),
    productAccess: { get: async () => game.product },
    playerTokenMint: {
      async mint(userId: number, id?: string) {
        if (game.isDown) throw new ServiceUnavailable('KMS')
        game.minted += 1
        return `player token ${game.minted} of ${userId} for ${id}`
      },
    },
  }
  const begun = { ...family, familyId: randomText() }
  const first = await ports.refreshTokens.write(await beginFamily(begun, start, ports.families))
  const refresh = (text: string, at = start) => refreshTokens(text, productId, at, ports)
  return { ...world, game, ports, first, refresh }
}

describe('D103: a refresh token', () => {
  test('D118: is sent again after KMS was down for however long, and after a limit', async () => {
    const { first, refresh, game, tokensLeft, families } = await newGame()
    game.isDown = true
    await expect(refresh(first)).rejects.toThrow(ServiceUnavailable)
    await expect(refresh(first, start + 3_600_000)).rejects.toThrow(ServiceUnavailable)
    game.isDown = false
    tokensLeft.set(7, 0)
    await expect(refresh(first, start + 7_200_000)).rejects.toThrow(RateLimited)
    tokensLeft.delete(7)
    expect([...families.values()]).toMatchObject([{ counter: 0 }])
    expect(await refresh(first, start + 9_000_000)).toHaveProperty('refreshToken')
    expect(game.minted).toBe(1)
  })

  test('is of use only while the product signs players in', async () => {
    const { first, refresh, game, families } = await newGame()
    for (const other of [undefined, storedProduct()]) {
      game.product = other
      expect(await refresh(first)).toEqual({ error: 'invalid_client' })
    }
    // Judged before the token is used (D141).
    expect([game.minted, [...families.values()][0]?.counter]).toEqual([0, 0])
    game.product = permitting
    expect(await refresh(first)).toHaveProperty('playerToken')
  })
})

test('D103: a device code leads to the same tokens as a refresh token, once the user has approved', async () => {
  const { ports, refresh } = await newGame()
  const familyId = randomText()
  const deviceCode = await ports.deviceCodes.newDeviceCode('BCDFGHJK')
  const grant = { userCode: 'BCDFGHJK', deviceCode, productId, familyId, askedAt: start }
  await ports.deviceGrants.add({ ...grant, askedFrom: '192.0.2.1' }, start)
  const poll = (at: number) => tokensOfDevice(deviceCode, productId, at, ports)
  expect(await poll(start)).toEqual({ error: 'authorization_pending' })
  await beginFamily({ ...family, familyId }, start, ports.families)
  const decision = { kind: 'approved', userId: 7, wallet, beganAt: start } as const
  await ports.deviceGrants.decide('BCDFGHJK', decision, start)
  const issued = await poll(start + 5_000)
  expect(issued).toMatchObject({ playerToken: `player token 1 of 7 for ${productId}` })
  const { refreshToken } = issued as { refreshToken: string }
  expect(await poll(start + 10_000)).toMatchObject({ refreshToken })
  const next = { refreshToken: expect.not.stringContaining(refreshToken) }
  expect(await refresh(refreshToken)).toMatchObject(next)
  // The first token of the family, whoever has used it since.
  expect(await poll(start + 15_000)).toMatchObject({ refreshToken })
})

describe('D103: a player token of a refresh token', () => {
  test('is not given to a user who has signed out, or whose wallet is removed', async () => {
    const { ports } = await newGame()
    await signOut(7, start, ports)
    expect(await mintPlayerToken(family, start + 60_000, ports)).toBeUndefined()
    const removing = await newGame()
    await removeWallet(7, wallet, start, removing.ports)
    expect(await mintPlayerToken(family, start + 60_000, removing.ports)).toBeUndefined()
  })

  test('is of a later second than the sign-out before it', async () => {
    const { ports } = await newGame()
    await signOut(7, start + 100, ports)
    const later = { ...family, beganAt: start + 200 }
    const early = mintPlayerToken(later, start + 999, ports)
    await expect(early).rejects.toThrow(ServiceUnavailable)
    await expect(early).rejects.toMatchObject({ retryAfterSeconds: 1 })
    expect(await mintPlayerToken(later, start + 1_000, ports)).toBe(
      `player token 2 of 7 for ${productId}`,
    )
  })

  test('is dated before the list is read', async () => {
    const calls: string[] = []
    const { ports } = await newGame()
    const { walletLists } = ports
    await mintPlayerToken(family, start, {
      playerTokenMint: { mint: async () => `${calls.push('dated')}` },
      walletLists: {
        ...walletLists,
        get(userId) {
          calls.push('read')
          return walletLists.get(userId)
        },
      },
    })
    expect(calls).toEqual(['dated', 'read'])
  })
})
