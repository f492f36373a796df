import type { Account } from '@player-nfts/local/samples/sample-account'
import { describe, expect, test } from 'vitest'
import { type Wallet, walletAt } from '../../../lib/domain/nft/wallet.ts'
import { addWallet, type WalletAddition } from '../../../lib/domain/sign-in/add-wallet.ts'
import { userOfWallet } from '../../../lib/domain/sign-in/wallet-users.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { killEverywhere } from '../../support/memory/interruptions.ts'
import type { Tap } from '../../support/memory/memory-ports.ts'
import { newAccount, newSmartAccount } from '../../support/sign-in/account.ts'
import { additionOf, network, proofOf, where } from '../../support/sign-in/proofs.ts'
import { signInWorld } from '../../support/sign-in/sign-in-world.ts'

const start = Date.UTC(2026, 10, 27)

/** Which wallet consents, if not the first one of the user, and what happens meanwhile. */
interface Added {
  by?: Account
  tap?: Tap
}

/** Two users, who have signed in with a wallet each. */
async function twoUsers() {
  const [mine, theirs] = [newAccount(), newAccount()] as const
  const world = signInWorld()
  const { lists, ports } = world
  const [me, them] = [
    await userOfWallet(mine.address, 0, ports()),
    await userOfWallet(theirs.address, 0, ports()),
  ] as const
  const addWith = (addition: WalletAddition, tap?: Tap) =>
    addWallet(me, addition, where, { now: start, network }, ports(tap))
  const add = async (kind: 'link' | 'move', account: Account, { by = mine, tap }: Added = {}) =>
    await addWith(await additionOf(account, by, { kind, userId: me }, start), tap)
  const walletsOf = (userId: number): readonly Wallet[] => lists.get(userId)?.wallets ?? []
  return { ...world, mine, theirs, me, them, addWith, add, walletsOf }
}

type TwoUsers = Awaited<ReturnType<typeof twoUsers>>

/** Gives a user more wallets. */
function giveMore({ lists }: TwoUsers, userId: number, more: number): readonly Wallet[] {
  const list = lists.get(userId)
  if (!list) throw new Error('nobody is stored')
  const all = [...list.wallets, ...Array.from({ length: more }, (_, index) => addressOf(index))]
  lists.set(userId, { ...list, wallets: all })
  return all
}

describe('D159: a consent', () => {
  const other = { ofConsent: 'message_for_another_purpose' }

  test.each([
    ['a smart account on its chain', newSmartAccount, 137, undefined],
    ['a smart account on all chains', newSmartAccount, undefined, other],
    ['a smart account on another chain', newSmartAccount, 8453, other],
    ['a key on all chains', newAccount, undefined, undefined],
    ['a key on the chain of its message', newAccount, 137, undefined],
    ['a key on another chain', newAccount, 8453, other],
  ])('to %s', async (_, newOne, chainId, refusal) => {
    const { addWith, mine, me, walletsOf } = await twoUsers()
    const account = newOne()
    const named = walletAt(account.address, chainId)
    const addition = await additionOf(account, mine, { kind: 'link', userId: me }, start, named)
    expect(await addWith(addition)).toEqual(refusal)
    const added = newOne === newAccount ? account.address : walletAt(account.address, 137)
    expect(walletsOf(me)).toEqual(refusal ? [mine.address] : [mine.address, added])
  })

  test.each([
    ['the smart account that the user has', 137, undefined],
    ['the smart account of another chain', 8453, 'consent_of_other_wallet'],
    [
      'a smart account at the address of a key that the user has',
      undefined,
      'consent_of_other_wallet',
    ],
  ])('of %s', async (_, chainId, refusal) => {
    const { add, me, lists } = await twoUsers()
    const by = newSmartAccount()
    const list = { wallets: [walletAt(by.address, chainId)], addedAt: [0], version: '1' }
    lists.set(me, list)
    expect(await add('link', newAccount(), { by })).toEqual(refusal)
  })
})

describe('D104: a wallet that proves itself', () => {
  test('is refused for another user', async () => {
    const { addWith, mine, them } = await twoUsers()
    const account = newAccount()
    const addition = await additionOf(account, mine, { kind: 'link', userId: them }, start)
    expect(await addWith(addition)).toBe('message_for_another_purpose')
    const page = await proofOf(account, { kind: 'page' }, start)
    expect(await addWith({ ...addition, ...page })).toBe('message_for_another_purpose')
  })

  test('of another user stays there, unless its message says that it moves', async () => {
    const users = await twoUsers()
    const { add, me, them, theirs, mine, forgotten, walletsOf } = users
    const more = giveMore(users, them, 1)
    expect(await add('link', theirs)).toBe('wallet_of_another_user')
    expect(walletsOf(them)).toEqual(more)
    expect(await add('move', theirs)).toBeUndefined()
    expect(walletsOf(them)).toEqual([addressOf(0)])
    expect(walletsOf(me)).toEqual([mine.address, theirs.address])
    expect(forgotten).toEqual(new Set())
  })

  test('that is the last of another user leaves nobody behind', async () => {
    const { add, me, them, theirs, mine, forgotten, walletsOf } = await twoUsers()
    expect(await add('move', theirs)).toBeUndefined()
    expect(walletsOf(me)).toEqual([mine.address, theirs.address])
    expect(forgotten).toEqual(new Set([them]))
  })

  test('leaves a user who gets another wallet meanwhile', async () => {
    const { add, me, them, theirs, mine, forgotten, lists, walletsOf } = await twoUsers()
    let isDone = false
    const tap: Tap = (call, moment) => {
      const list = lists.get(them)
      if (call !== 'walletLists.replace' || moment !== 'before' || isDone || !list) return
      isDone = true
      const both = [...list.wallets, addressOf(5)]
      lists.set(them, { ...list, wallets: both, version: `${list.version}+` })
    }
    expect(await add('move', theirs, { tap })).toBe('wallet_of_another_user')
    expect(walletsOf(them)).toEqual([theirs.address, addressOf(5)])
    expect(walletsOf(me)).toEqual([mine.address])
    expect(forgotten.size).toBe(0)
    expect(await add('move', theirs)).toBeUndefined()
  })

  test('leaves a user who gets another wallet just before the end', async () => {
    const { add, me, them, theirs, mine, forgotten, lists, walletsOf } = await twoUsers()
    const tap: Tap = (call, moment) => {
      const list = lists.get(them)
      if (call !== 'forgottenPlayers.forgetWithoutWallets' || moment !== 'before' || !list) return
      lists.set(them, { ...list, wallets: [addressOf(5)], version: `${list.version}+` })
    }
    expect(await add('move', theirs, { tap })).toBeUndefined()
    expect(walletsOf(them)).toEqual([addressOf(5)])
    expect(walletsOf(me)).toEqual([mine.address, theirs.address])
    expect(forgotten).toEqual(new Set())
  })

  test('that moves to the user who has it, or whose first sign-in is under way, ends nobody', async () => {
    const { add, me, mine, forgotten, owners, walletsOf } = await twoUsers()
    const by = newAccount()
    await add('link', by)
    expect(await add('move', mine, { by })).toBeUndefined()
    expect(walletsOf(me)).toEqual([mine.address, by.address])
    const first = newAccount()
    owners.set(first.address, { generation: 0, userId: 99, isJoining: true })
    expect(await add('move', first)).toBeUndefined()
    expect(forgotten).toEqual(new Set())
  })

  test('does not move to a user with 20 wallets', async () => {
    const users = await twoUsers()
    const { add, me, them, mine, theirs, walletsOf } = users
    const by = newAccount()
    await add('link', by)
    giveMore(users, me, 18)
    expect(await add('move', theirs)).toBe('too_many_wallets')
    expect(await add('link', newAccount())).toBe('too_many_wallets')
    expect(await add('link', mine, { by })).toBeUndefined()
    expect(walletsOf(them)).toEqual([theirs.address])
  })

  test.each([0, 1])('moves whole after a crash at any moment: %i more', async (more) => {
    const moments = await killEverywhere(
      async () => {
        const users = await twoUsers()
        giveMore(users, users.them, more)
        return users
      },
      ({ add, theirs }, tap) => add('move', theirs, { tap }),
      async ({ add, me, them, theirs, forgotten, walletsOf }) => {
        const having = [me, them].filter((userId) => walletsOf(userId).includes(theirs.address))
        expect(having.length).toBeLessThanOrEqual(1)
        expect(await add('move', theirs)).toBeUndefined()
        expect(walletsOf(me)).toContain(theirs.address)
        expect(walletsOf(them)).toHaveLength(more)
        expect(forgotten.has(them)).toBe(more === 0)
      },
    )
    expect(moments).toBeGreaterThan(20)
  })
})

describe('D144: a wallet that the user has consents', () => {
  test('and only for this user and this wallet, once', async () => {
    const { addWith, me, them, mine, walletsOf } = await twoUsers()
    const account = newAccount()
    const addition = await additionOf(account, mine, { kind: 'link', userId: me }, start)
    for (const purpose of [
      { kind: 'consent', userId: me, wallet: newAccount().address },
      { kind: 'consent', userId: them, wallet: account.address },
      { kind: 'remove', userId: me, wallet: account.address },
      { kind: 'link', userId: me },
      { kind: 'page' },
    ] as const) {
      const consent = await proofOf(mine, purpose, start)
      const ofConsent = 'message_for_another_purpose'
      expect(await addWith({ ...addition, consent })).toEqual({ ofConsent })
    }
    expect(walletsOf(me)).toEqual([mine.address])
    // Nothing of this has used up a proof.
    expect(await addWith(addition)).toBeUndefined()
    const again = await proofOf(account, { kind: 'link', userId: me }, start)
    const used = { ofConsent: 'message_already_used' }
    expect(await addWith({ ...again, consent: addition.consent })).toEqual(used)
  })

  test('and neither the wallet itself, nor that of another user or of nobody', async () => {
    const { add, me, mine, theirs, usedNonces, walletsOf } = await twoUsers()
    const account = newAccount()
    for (const by of [account, theirs, newAccount()]) {
      expect(await add('link', account, { by })).toBe('consent_of_other_wallet')
    }
    expect(await add('move', theirs, { by: theirs })).toBe('consent_of_other_wallet')
    expect(await add('link', mine, { by: mine })).toBe('consent_of_other_wallet')
    expect(walletsOf(me)).toEqual([mine.address])
    expect(usedNonces.size).toBe(0)
  })

  test('and one that the user loses meanwhile adds nothing', async () => {
    const { add, me, lists, mine, walletsOf } = await twoUsers()
    const tap: Tap = (call, moment) => {
      const list = lists.get(me)
      if (call !== 'usedNonces.use' || moment !== 'after' || !list) return
      lists.set(me, { ...list, wallets: [addressOf(5)], version: `${list.version}+` })
    }
    expect(await add('link', newAccount(), { by: mine, tap })).toBe('consent_of_other_wallet')
    expect(walletsOf(me)).toEqual([addressOf(5)])
  })

  test('and once more for a wallet that turns out to be of another user', async () => {
    const { addWith, me, them, mine, theirs, walletsOf } = await twoUsers()
    const linking = await additionOf(theirs, mine, { kind: 'link', userId: me }, start)
    expect(await addWith(linking)).toBe('wallet_of_another_user')
    const moving = await proofOf(theirs, { kind: 'move', userId: me }, start)
    expect(await addWith({ ...linking, ...moving })).toBeUndefined()
    expect([walletsOf(me), walletsOf(them)]).toEqual([[mine.address, theirs.address], []])
  })
})
