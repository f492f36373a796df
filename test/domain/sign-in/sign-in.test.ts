import { describe, expect, test } from 'vitest'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { newMessage } from '../../../lib/domain/sign-in/new-message.ts'
import type { Proof } from '../../../lib/domain/sign-in/proof.ts'
import type { Purpose } from '../../../lib/domain/sign-in/purpose.ts'
import { signIn } from '../../../lib/domain/sign-in/sign-in.ts'
import { readMessage } from '../../../lib/domain/sign-in/sign-in-message.ts'
import { userOfWallet } from '../../../lib/domain/sign-in/wallet-users.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'
import { newAccount } from '../../support/sign-in/account.ts'
import { emptyWallets, walletPorts } from '../../support/sign-in/memory-wallets.ts'
import { network, proofOf, proofPorts, where } from '../../support/sign-in/proofs.ts'

const start = Date.UTC(2026, 10, 27)
const page = { kind: 'page' } as const

/** A deployment in memory in which nobody has signed in. */
function newDeployment() {
  const wallets = emptyWallets()
  const ports = { ...walletPorts(wallets), ...proofPorts(new Set()) }
  const enter = (proof: Proof, now = start, username?: string, purpose: Purpose = page) =>
    signIn(proof, { ...where, purposes: [purpose] }, { now, network, username }, ports)
  return { wallets, ports, enter }
}

test('D97: a message is for what it was asked for, for five minutes', async () => {
  const { nonces } = proofPorts(new Set())
  const productId = '0f5a3c1e-0000-4000-8000-000000000000' as never
  const asked = {
    ...{ domain: 'game.example', address: addressOf(1), chainId: 56, statement: 'Sign in to it.' },
    purpose: { kind: 'product', productId },
  } as const
  const { message, expiresAt } = await newMessage(asked, start, nonces)
  const { purpose: _, ...said } = asked
  const read = readMessage(message)
  expect(read).toMatchObject({ ...said, issuedAt: start, requestId: `product:${productId}` })
  expect(read && (await nonces.isOf(read))).toBe(true)
  expect(expiresAt).toBe(start + 300_000)
})

describe('D104: a sign-in with a wallet', () => {
  test('is of the user of the wallet, dated by its message, once', async () => {
    const { enter, ports } = newDeployment()
    const account = newAccount()
    const proof = await proofOf(account, page, start)
    const session = await enter(proof, start + 60_000)
    const userId = await userOfWallet(account.address, 0, ports)
    expect(session).toEqual({ userId, wallet: account.address, beganAt: start })
    expect(await enter(proof, start + 60_000)).toEqual({ fault: 'message_already_used' })
    expect(await enter(await proofOf(account, page, start))).toMatchObject({ userId })
    expect(await enter(await proofOf(newAccount(), page, start))).not.toMatchObject({ userId })
  })

  test('that is refused makes no user', async () => {
    const { enter, wallets } = newDeployment()
    const proof = await proofOf(newAccount(), { kind: 'link', userId: 1 }, start)
    expect(await enter(proof)).toEqual({ fault: 'message_for_another_purpose' })
    expect(wallets).toEqual(emptyWallets())
  })

  test('with a message from before a sign-out is refused', async () => {
    const { enter, ports } = newDeployment()
    const account = newAccount()
    const early = await proofOf(account, page, start + 1_000)
    const late = await proofOf(account, page, start + 1_001)
    const userId = await userOfWallet(account.address, 0, ports)
    await ports.walletLists.signOut(userId, start + 1_000)
    expect(await enter(early, start + 2_000)).toEqual({ fault: 'message_expired' })
    expect(await enter(late, start + 2_000)).toMatchObject({ userId })
  })

  test('can give the user another name', async () => {
    const { enter, wallets } = newDeployment()
    const account = newAccount()
    await enter(await proofOf(account, page, start))
    expect(wallets.usernames.size).toBe(0)
    await enter(await proofOf(account, page, start), start, 'tessaly')
    expect([...wallets.usernames.values()]).toEqual(['tessaly'])
    await enter(await proofOf(account, page, start))
    expect([...wallets.usernames.values()]).toEqual(['tessaly'])
  })

  test('D118: to a game names a user who has no name yet, and no other', async () => {
    const { enter, wallets } = newDeployment()
    const account = newAccount()
    const game = { kind: 'product', productId: 'a-product' as ProductId } as const
    const name = async (username: string, purpose: Purpose) => {
      await enter(await proofOf(account, purpose, start), start, username, purpose)
      return [...wallets.usernames.values()]
    }
    expect(await name('named by a game', game)).toEqual(['named by a game'])
    expect(await name('renamed by a game', game)).toEqual(['named by a game'])
    expect(await name('tessaly', page)).toEqual(['tessaly'])
  })
})
