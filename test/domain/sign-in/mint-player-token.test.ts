import { describe, expect, test } from 'vitest'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { PlayerTokenMint } from '../../../lib/domain/ports/players.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { mintPlayerToken } from '../../../lib/domain/sign-in/issue-tokens.ts'
import { removeWallet, signOut } from '../../../lib/domain/sign-in/sign-out.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'
import { memoryFamilies } from '../../support/sign-in/memory-families.ts'
import { usersWith, walletPorts } from '../../support/sign-in/memory-wallets.ts'

const start = Date.UTC(2026, 10, 27)
const family = {
  ...{ userId: 7, productId: 'a-product' as ProductId },
  ...{ wallet: addressOf(1), beganAt: start },
}

/** A user with the wallets 1 and 2, and a mint that runs a function before it answers. */
function setting(meanwhile: () => Promise<unknown> = async () => undefined) {
  const wallets = usersWith({ 7: [addressOf(1), addressOf(2)] })
  wallets.owners.set(addressOf(1), { generation: 0, userId: 7 })
  const playerTokenMint: PlayerTokenMint = {
    async mint(userId, productId) {
      await meanwhile()
      return `${userId} ${productId}`
    },
  }
  const ports = { ...walletPorts(wallets), families: memoryFamilies(new Map()), playerTokenMint }
  const sessions = { endAll: async () => undefined }
  return { ports, leave: { ...ports, sessions } }
}

describe('D103: a player token of a refresh token', () => {
  test('is for the game of the family', async () => {
    const { ports } = setting()
    expect(await mintPlayerToken(family, start, ports)).toBe('7 a-product')
  })

  test('is not given to a user who has signed out, or whose wallet is removed', async () => {
    const { ports, leave } = setting()
    await signOut(7, start, leave)
    expect(await mintPlayerToken(family, start + 60_000, ports)).toBeUndefined()
    const removing = setting()
    await removeWallet(7, family.wallet, start, removing.leave)
    expect(await mintPlayerToken(family, start + 60_000, removing.ports)).toBeUndefined()
  })

  test('is of a later second than the sign-out before it', async () => {
    const { ports, leave } = setting()
    await signOut(7, start + 100, leave)
    const later = { ...family, beganAt: start + 200 }
    const early = mintPlayerToken(later, start + 999, ports)
    await expect(early).rejects.toThrow(ServiceUnavailable)
    await expect(early).rejects.toMatchObject({ retryAfterSeconds: 1 })
    expect(await mintPlayerToken(later, start + 1_000, ports)).toBe('7 a-product')
  })

  test('is dated before the list is read', async () => {
    const calls: string[] = []
    const { ports } = setting()
    await mintPlayerToken(family, start, {
      playerTokenMint: { mint: async () => `${calls.push('dated')}` },
      walletLists: {
        get(userId) {
          calls.push('read')
          return ports.walletLists.get(userId)
        },
      },
    })
    expect(calls).toEqual(['dated', 'read'])
  })
})
