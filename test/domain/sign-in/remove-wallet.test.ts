import { describe, expect, test } from 'vitest'
import { removeWalletWithProof } from '../../../lib/domain/sign-in/sign-out.ts'
import { linkWallet, userOfWallet } from '../../../lib/domain/sign-in/wallet-users.ts'
import type { Account } from '../../../local/samples/sample-account.ts'
import { killEverywhere } from '../../support/memory/interruptions.ts'
import type { Tap } from '../../support/memory/memory-ports.ts'
import { newAccount } from '../../support/sign-in/account.ts'
import { memoryFamilies } from '../../support/sign-in/memory-families.ts'
import { emptyWallets, walletPorts } from '../../support/sign-in/memory-wallets.ts'
import { network, proofOf, proofPorts, where } from '../../support/sign-in/proofs.ts'

const now = Date.UTC(2026, 10, 27)

/** A user with three wallets, in the order in which they were added. */
async function newUser() {
  const accounts = [newAccount(), newAccount(), newAccount()] as const
  const wallets = emptyWallets()
  const used = new Set<string>()
  const ended: unknown[] = []
  const ports = (tap?: Tap) => ({
    ...walletPorts(wallets, tap),
    ...proofPorts(used, tap),
    families: memoryFamilies(new Map(), tap),
    sessions: { endAll: async (_: number, wallet?: unknown) => void ended.push(wallet) },
  })
  const [first, ...others] = accounts
  const userId = await userOfWallet(first.address, 0, ports())
  for (const { address } of others) await linkWallet(userId, address, 0, ports())
  const remove = async (removed: Account, signer: Account, tap?: Tap) => {
    const wallet = removed.address
    const proof = await proofOf(signer, { kind: 'remove', userId, wallet }, now)
    return await removeWalletWithProof(userId, wallet, proof, where, { now, network }, ports(tap))
  }
  const left = () =>
    wallets.lists
      .get(userId)
      ?.wallets.map((address) => accounts.findIndex((each) => each.address === address))
  return { accounts, userId, ports, remove, left, ended }
}

describe('D109: a wallet is removed', () => {
  test.each([
    ['itself', 1, 1, undefined],
    ['an older one', 1, 0, undefined],
    ['a newer one', 1, 2, 'proof_of_newer_wallet'],
    ['a newer one than the first', 0, 1, 'proof_of_newer_wallet'],
  ] as const)('with a proof of %s: %i by %i', async (_, removed, signer, refusal) => {
    const { accounts, remove, left, ended } = await newUser()
    expect(await remove(accounts[removed], accounts[signer])).toBe(refusal)
    expect(left()).toEqual([0, 1, 2].filter((each) => refusal || each !== removed))
    expect(ended).toEqual(refusal ? [] : [accounts[removed].address])
  })

  test('with no proof of a stranger, of another removal, or for something else', async () => {
    const { accounts, userId, ports, remove, left } = await newUser()
    const [first, second, third] = accounts
    expect(await remove(second, newAccount())).toBe('proof_of_newer_wallet')
    const purposes = [
      { kind: 'remove', userId, wallet: third.address },
      { kind: 'remove', userId: userId + 1, wallet: second.address },
      { kind: 'page' },
    ] as const
    for (const purpose of purposes) {
      const proof = await proofOf(first, purpose, now)
      const result = removeWalletWithProof(
        ...([userId, second.address, proof, where, { now, network }, ports()] as const),
      )
      expect(await result).toBe('message_for_another_purpose')
    }
    expect(left()).toEqual([0, 1, 2])
  })

  test('but never the last one, or one that is not there', async () => {
    const { accounts, remove, left } = await newUser()
    const [first, second, third] = accounts
    expect(await remove(newAccount(), first)).toBe('no_such_wallet')
    for (const account of [second, third]) await remove(account, first)
    expect(await remove(first, first)).toBe('last_wallet')
    expect(left()).toEqual([0])
  })

  test.each([0, 1])(
    'whole by a repeat after a crash at any moment: signed by %i',
    async (signer) => {
      const moments = await killEverywhere(
        newUser,
        ({ accounts, remove }, tap) => remove(accounts[1], accounts[signer] as Account, tap),
        async ({ accounts, remove, left, ended }) => {
          await remove(accounts[1], accounts[signer] as Account)
          expect(left()).toEqual([0, 2])
          expect(ended.at(-1)).toBe(accounts[1].address)
        },
      )
      expect(moments).toBe(18)
    },
  )
})
