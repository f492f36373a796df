import { describe, expect, test } from 'vitest'
import { hmacDeviceCodes } from '../../../lib/adapters/hmac/device-codes.ts'
import { hmacRefreshTokens } from '../../../lib/adapters/hmac/refresh-tokens.ts'
import { randomText } from '../../../lib/adapters/random/random-text.ts'
import { RateLimited, ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { PlayerTokenMint } from '../../../lib/domain/ports/players.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import type { StoredProduct } from '../../../lib/domain/product/stored-product.ts'
import {
  mintPlayerToken,
  refreshTokens,
  tokensOfDevice,
} from '../../../lib/domain/sign-in/issue-tokens.ts'
import { beginFamily } from '../../../lib/domain/sign-in/refresh-families.ts'
import { removeWallet, signOut } from '../../../lib/domain/sign-in/sign-out.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { storedProduct } from '../../support/memory/http-chain.ts'
import { productId } from '../../support/memory/owned-nfts.ts'
import { signInWorld } from './sign-in-world.ts'

const start = Date.UTC(2026, 10, 27)

const tokens = hmacRefreshTokens(async () => 'the secret of sign-in')

const deviceCodes = hmacDeviceCodes(async () => 'the secret of sign-in')

const wallet = addressOf(1)

/** A game to which user 7 has signed in. */
async function newGame() {
  const { wallets, families: stored, ports: worldPorts } = signInWorld({ 7: [wallet] })
  const { product } = storedProduct()
  const game: { product?: StoredProduct; minted: number; isDown: boolean } = {
    product: storedProduct({ product: { ...product, signIn: true } }),
    ...{ minted: 0, isDown: false },
  }
  const ports = {
    ...{ ...worldPorts(), refreshTokens: tokens, deviceCodes },
    productAccess: { get: async () => game.product },
    playerTokenMint: {
      async mint(userId: number, id?: string) {
        if (game.isDown) throw new ServiceUnavailable('KMS')
        game.minted += 1
        return `player token ${game.minted} of ${userId} for ${id}`
      },
    },
  }
  const begun = {
    userId: 7,
    familyId: randomText(),
    productId,
    wallet,
    beganAt: start,
  }
  const first = await tokens.write(await beginFamily(begun, start, ports.families))
  const refresh = (text: string, at = start) => refreshTokens(text, productId, at, ports)
  return { game, wallets, stored, ports, first, refresh }
}

describe('D103: a refresh token', () => {
  test('is replaced by a player token and the next refresh token', async () => {
    const { first, refresh } = await newGame()
    const issued = await refresh(first)
    expect(issued).toMatchObject({ playerToken: `player token 1 of 7 for ${productId}` })
    const { refreshToken } = issued as { refreshToken: string }
    expect(refreshToken).not.toBe(first)
    expect(await refresh(refreshToken)).toMatchObject({
      playerToken: `player token 2 of 7 for ${productId}`,
    })
  })

  test('D118: is sent again after KMS was down for however long, and after a limit', async () => {
    const { first, refresh, game, wallets, stored } = await newGame()
    game.isDown = true
    await expect(refresh(first)).rejects.toThrow(ServiceUnavailable)
    await expect(refresh(first, start + 3_600_000)).rejects.toThrow(ServiceUnavailable)
    game.isDown = false
    wallets.tokensLeft.set(7, 0)
    await expect(refresh(first, start + 7_200_000)).rejects.toThrow(RateLimited)
    wallets.tokensLeft.delete(7)
    expect([...stored.values()]).toMatchObject([{ counter: 0 }])
    expect(await refresh(first, start + 9_000_000)).toHaveProperty('refreshToken')
    expect(game.minted).toBe(1)
  })

  test.each([
    ['no token', () => ''],
    ['a token of another deployment', (first: string) => `${first.slice(0, -1)}-`],
  ])('that is %s is an invalid grant', async (_, change) => {
    const { first, refresh, game } = await newGame()
    expect(await refresh(change(first))).toEqual({ error: 'invalid_grant' })
    expect(game.minted).toBe(0)
  })

  test('is of use only while the product signs players in', async () => {
    const { first, refresh, game, stored } = await newGame()
    const { product } = game
    for (const other of [undefined, storedProduct()]) {
      Object.assign(game, { product: other })
      expect(await refresh(first)).toEqual({ error: 'invalid_client' })
    }
    // Judged before the token is used (D141).
    expect([game.minted, [...stored.values()][0]?.counter]).toEqual([0, 0])
    Object.assign(game, { product })
    expect(await refresh(first)).toHaveProperty('playerToken')
  })
})

describe('D103: a device code', () => {
  /** A game that has asked for user 7. */
  async function asking() {
    const game = await newGame()
    const familyId = randomText()
    const deviceCode = await deviceCodes.newDeviceCode('BCDFGHJK')
    const grant = { userCode: 'BCDFGHJK', deviceCode, productId, familyId, askedAt: start }
    await game.ports.deviceGrants.add({ ...grant, askedFrom: '192.0.2.1' }, start)
    const decision = { kind: 'approved', userId: 7, wallet, beganAt: start } as const
    const begun = { userId: 7, wallet, beganAt: start, familyId, productId }
    const approve = async () => {
      await beginFamily(begun, start, game.ports.families)
      await game.ports.deviceGrants.decide('BCDFGHJK', decision, start)
    }
    const poll = (at = start) => tokensOfDevice(deviceCode, productId, at, game.ports)
    return { ...game, approve, poll }
  }

  test('leads to the same tokens as a refresh token, once the user has approved', async () => {
    const { poll, approve, refresh } = await asking()
    expect(await poll()).toEqual({ error: 'authorization_pending' })
    await approve()
    const issued = await poll(start + 5_000)
    expect(issued).toMatchObject({ playerToken: `player token 1 of 7 for ${productId}` })
    const { refreshToken } = issued as { refreshToken: string }
    expect(await poll(start + 10_000)).toMatchObject({ refreshToken })
    expect(await refresh(refreshToken)).toHaveProperty('refreshToken')
    // The first token of the family, whoever has used it since.
    expect(await poll(start + 15_000)).toMatchObject({ refreshToken })
  })
})

const family = {
  ...{ userId: 7, productId: 'a-product' as ProductId },
  ...{ wallet: addressOf(1), beganAt: start },
}

/** A user with the wallets 1 and 2, and a mint that runs a function before it answers. */
function setting(meanwhile: () => Promise<unknown> = async () => undefined) {
  const { wallets, ports } = signInWorld({ 7: [addressOf(1), addressOf(2)] })
  wallets.owners.set(addressOf(1), { generation: 0, userId: 7 })
  const playerTokenMint: PlayerTokenMint = {
    async mint(userId, productId) {
      await meanwhile()
      return `${userId} ${productId}`
    },
  }
  return { ...ports(), playerTokenMint }
}

describe('D103: a player token of a refresh token', () => {
  test('is not given to a user who has signed out, or whose wallet is removed', async () => {
    const ports = setting()
    await signOut(7, start, ports)
    expect(await mintPlayerToken(family, start + 60_000, ports)).toBeUndefined()
    const removing = setting()
    await removeWallet(7, family.wallet, start, removing)
    expect(await mintPlayerToken(family, start + 60_000, removing)).toBeUndefined()
  })

  test('is of a later second than the sign-out before it', async () => {
    const ports = setting()
    await signOut(7, start + 100, ports)
    const later = { ...family, beganAt: start + 200 }
    const early = mintPlayerToken(later, start + 999, ports)
    await expect(early).rejects.toThrow(ServiceUnavailable)
    await expect(early).rejects.toMatchObject({ retryAfterSeconds: 1 })
    expect(await mintPlayerToken(later, start + 1_000, ports)).toBe('7 a-product')
  })

  test('is dated before the list is read', async () => {
    const calls: string[] = []
    const { walletLists } = setting()
    await mintPlayerToken(family, start, {
      playerTokenMint: { mint: async () => `${calls.push('dated')}` },
      walletLists: {
        get(userId) {
          calls.push('read')
          return walletLists.get(userId)
        },
      },
    })
    expect(calls).toEqual(['dated', 'read'])
  })
})
