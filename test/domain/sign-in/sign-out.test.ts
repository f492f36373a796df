import type { Account } from '@player-nfts/local/samples/sample-account'
import { describe, expect, test } from 'vitest'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { beginFamily, renewFamily } from '../../../lib/domain/sign-in/refresh-families.ts'
import {
  removeWallet,
  removeWalletWithProof,
  signOut,
} from '../../../lib/domain/sign-in/sign-out.ts'
import { validSession } from '../../../lib/domain/sign-in/signed-in.ts'
import { linkWallet, userOfWallet } from '../../../lib/domain/sign-in/wallet-users.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { killEverywhere } from '../../support/memory/interruptions.ts'
import type { Tap } from '../../support/memory/memory-ports.ts'
import { newAccount } from '../../support/sign-in/account.ts'
import { network, proofOf, where } from '../../support/sign-in/proofs.ts'
import { signInWorld } from '../../support/sign-in/sign-in-world.ts'

const productId = 'a-product' as ProductId
const start = Date.UTC(2026, 10, 27)
const [w1, w2, w3] = [1, 2, 3].map(addressOf) as [Address, Address, Address]

type Memory = ReturnType<typeof signInWorld>

/** Begins a session and a family with a wallet. */
async function signIn(
  { ports }: Memory,
  wallet: Address,
  beganAt: number,
): Promise<{ text: string; familyId: string }> {
  const userId = await userOfWallet(wallet, beganAt / 1_000, ports())
  const text = await ports().sessions.begin({ userId, wallet, beganAt })
  const familyId = `${wallet} ${beganAt}`
  await beginFamily({ userId, familyId, productId, wallet, beganAt }, beganAt, ports().families)
  return { text, familyId }
}

/** A user with the wallets 1 and 2. */
async function newMemory(): Promise<Memory & { userId: number }> {
  const memory = signInWorld()
  const userId = await userOfWallet(w1, start / 1_000, memory.ports())
  await linkWallet(userId, w2, start / 1_000, memory.ports())
  return { ...memory, userId }
}

/** A user who has signed in with both wallets at the same moment. */
async function signedIn() {
  const memory = await newMemory()
  return { memory, begun: [await signIn(memory, w1, start), await signIn(memory, w2, start)] }
}

/** Which of the sign-ins of wallets at moments are still valid, by their sessions and by their refresh tokens. */
async function validOf(memory: Memory, signIns: readonly Awaited<ReturnType<typeof signIn>>[]) {
  const ports = memory.ports()
  return await Promise.all(
    signIns.map(async ({ text, familyId }) => {
      const session = await validSession(text, start + 60_000, ports)
      const family = [...memory.families.values()].find((each) => each.familyId === familyId)
      const renewed = family && (await renewFamily(family, productId, start + 60_000, ports))
      expect(renewed !== undefined).toBe(session !== undefined)
      return session !== undefined
    }),
  )
}

describe('D102: a sign-out', () => {
  test('ends everything that began before, of this user alone, and nothing later', async () => {
    const memory = await newMemory()
    const before = [await signIn(memory, w1, start), await signIn(memory, w2, start + 1_000)]
    const strangers = await signIn(memory, w3, start)
    expect(await validOf(memory, before)).toEqual([true, true])
    await signOut(memory.userId, start + 1_000, memory.ports())
    expect([memory.sessions.size, memory.families.size]).toEqual([1, 1])
    const later = await signIn(memory, w1, start + 1_001)
    expect(await validOf(memory, [...before, strangers, later])).toEqual([false, false, true, true])
  })

  test('takes effect with its first write, and is completed by a repeat', async () => {
    const moments = await killEverywhere(
      signedIn,
      ({ memory }, tap) => signOut(memory.userId, start, memory.ports(tap)),
      async ({ memory, begun }) => {
        const { userId, lists, sessions, families } = memory
        const isNoted = lists.get(userId)?.signedOutAt !== undefined
        expect(await validOf(memory, begun)).toEqual([!isNoted, !isNoted])
        await signOut(userId, start, memory.ports())
        expect([sessions.size, families.size]).toEqual([0, 0])
      },
    )
    expect(moments).toBe(10)
  })
})

describe('D102: a wallet that is removed', () => {
  test('ends what it has begun, and leaves the rest', async () => {
    const { memory, begun } = await signedIn()
    expect(await removeWallet(memory.userId, w2, start, memory.ports())).toBeUndefined()
    expect([memory.sessions.size, memory.families.size]).toEqual([1, 1])
    expect(await validOf(memory, begun)).toEqual([true, false])
    expect(await removeWallet(memory.userId, w1, start, memory.ports())).toBe('last_wallet')
    expect(await validOf(memory, begun)).toEqual([true, false])
  })

  test('signs in nobody from the moment at which the user does not have it', async () => {
    const moments = await killEverywhere(
      signedIn,
      ({ memory }, tap) => removeWallet(memory.userId, w2, start, memory.ports(tap)),
      async ({ memory, begun }) => {
        const { userId, lists, sessions, families } = memory
        const isListed = lists.get(userId)?.wallets.includes(w2) ?? false
        expect(await validOf(memory, begun)).toEqual([true, isListed])
        await removeWallet(userId, w2, start, memory.ports())
        expect([sessions.size, families.size]).toEqual([1, 1])
      },
    )
    expect(moments).toBe(16)
  })
})

const arrival = { now: start, network }

/** A user with three wallets, in the order in which they were added. */
async function newUser() {
  const accounts = [newAccount(), newAccount(), newAccount()] as const
  const { lists, ended, ports } = signInWorld()
  const [first, ...others] = accounts
  const userId = await userOfWallet(first.address, 0, ports())
  for (const { address } of others) await linkWallet(userId, address, 0, ports())
  const remove = async (removed: Account, signer: Account, tap?: Tap) => {
    const wallet = removed.address
    const proof = await proofOf(signer, { kind: 'remove', userId, wallet }, start)
    return await removeWalletWithProof(userId, wallet, proof, where, arrival, ports(tap))
  }
  const left = () =>
    lists
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
      const proof = await proofOf(first, purpose, start)
      const result = removeWalletWithProof(userId, second.address, proof, where, arrival, ports())
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
      expect(moments).toBe(20)
    },
  )
})
