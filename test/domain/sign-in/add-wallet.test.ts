import { describe, expect, test } from 'vitest'
import type { Address } from '../../../lib/domain/nft/address.ts'
import { addWallet } from '../../../lib/domain/sign-in/add-wallet.ts'
import { userOfWallet } from '../../../lib/domain/sign-in/wallet-users.ts'
import type { Account } from '../../../local/samples/sample-account.ts'
import { killEverywhere } from '../../support/memory/interruptions.ts'
import type { Tap } from '../../support/memory/memory-ports.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'
import { newAccount } from '../../support/sign-in/account.ts'
import { memoryFamilies } from '../../support/sign-in/memory-families.ts'
import { emptyWallets, walletPorts } from '../../support/sign-in/memory-wallets.ts'
import { network, proofOf, proofPorts, where } from '../../support/sign-in/proofs.ts'

const start = Date.UTC(2026, 10, 27)

/** Two users, who have signed in with a wallet each. */
async function twoUsers() {
  const [mine, theirs] = [newAccount(), newAccount()] as const
  const wallets = emptyWallets()
  const used = new Set<string>()
  const ports = (tap?: Tap) => ({
    ...walletPorts(wallets, tap),
    ...proofPorts(used, tap),
    families: memoryFamilies(new Map(), tap),
    sessions: { endAll: async () => undefined },
  })
  const [me, them] = [
    await userOfWallet(mine.address, 0, ports()),
    await userOfWallet(theirs.address, 0, ports()),
  ] as const
  const add = async (kind: 'link' | 'move', account: Account, tap?: Tap) =>
    await addWallet(
      me,
      await proofOf(account, { kind, userId: me }, start),
      where,
      { now: start, network },
      ports(tap),
    )
  const walletsOf = (userId: number): readonly Address[] => wallets.lists.get(userId)?.wallets ?? []
  return { mine, theirs, me, them, wallets, ports, add, walletsOf }
}

type TwoUsers = Awaited<ReturnType<typeof twoUsers>>

/** Gives a user more wallets. */
function giveMore({ wallets }: TwoUsers, userId: number, more: number): readonly Address[] {
  const list = wallets.lists.get(userId)
  if (!list) throw new Error('nobody is stored')
  const all = [...list.wallets, ...Array.from({ length: more }, (_, index) => addressOf(index))]
  wallets.lists.set(userId, { ...list, wallets: all })
  return all
}

describe('D104: a wallet that proves itself', () => {
  test('is added to the user whom its message names', async () => {
    const { add, me, mine, walletsOf } = await twoUsers()
    const account = newAccount()
    expect(await add('link', account)).toBeUndefined()
    expect(walletsOf(me)).toEqual([mine.address, account.address])
    expect(await add('link', account)).toBeUndefined()
  })

  test('is refused for another user', async () => {
    const { ports, me, them } = await twoUsers()
    const proof = await proofOf(newAccount(), { kind: 'link', userId: them }, start)
    expect(await addWallet(me, proof, where, { now: start, network }, ports())).toBe(
      'message_for_another_purpose',
    )
    const page = await proofOf(newAccount(), { kind: 'page' }, start)
    expect(await addWallet(me, page, where, { now: start, network }, ports())).toBe(
      'message_for_another_purpose',
    )
  })

  test('of another user stays there, unless its message says that it moves', async () => {
    const users = await twoUsers()
    const { add, me, them, theirs, mine, wallets, walletsOf } = users
    const more = giveMore(users, them, 1)
    expect(await add('link', theirs)).toBe('wallet_of_another_user')
    expect(walletsOf(them)).toEqual(more)
    expect(await add('move', theirs)).toBeUndefined()
    expect(walletsOf(them)).toEqual([addressOf(0)])
    expect(walletsOf(me)).toEqual([mine.address, theirs.address])
    expect(wallets.forgotten).toEqual(new Set())
  })

  test('that is the last of another user leaves nobody behind', async () => {
    const { add, me, them, theirs, mine, wallets, walletsOf } = await twoUsers()
    expect(await add('move', theirs)).toBeUndefined()
    expect(walletsOf(me)).toEqual([mine.address, theirs.address])
    expect(wallets.forgotten).toEqual(new Set([them]))
  })

  test('leaves a user who gets another wallet meanwhile', async () => {
    const users = await twoUsers()
    const { add, me, them, theirs, mine, wallets, walletsOf } = users
    let isDone = false
    const refusal = await add('move', theirs, (call, moment) => {
      const list = wallets.lists.get(them)
      if (call !== 'replace list' || moment !== 'before' || isDone || !list) return
      isDone = true
      const both = [...list.wallets, addressOf(5)]
      wallets.lists.set(them, { ...list, wallets: both, version: list.version + 1 })
    })
    expect(refusal).toBe('wallet_of_another_user')
    expect(walletsOf(them)).toEqual([theirs.address, addressOf(5)])
    expect(walletsOf(me)).toEqual([mine.address])
    expect(wallets.forgotten.size).toBe(0)
    expect(await add('move', theirs)).toBeUndefined()
  })

  test('leaves a user who gets another wallet just before the end', async () => {
    const users = await twoUsers()
    const { add, me, them, theirs, mine, wallets, walletsOf } = users
    const refusal = await add('move', theirs, (call, moment) => {
      const list = wallets.lists.get(them)
      if (call !== 'forget' || moment !== 'before' || !list) return
      wallets.lists.set(them, { ...list, wallets: [addressOf(5)], version: list.version + 1 })
    })
    expect(refusal).toBeUndefined()
    expect(walletsOf(them)).toEqual([addressOf(5)])
    expect(walletsOf(me)).toEqual([mine.address, theirs.address])
    expect(wallets.forgotten).toEqual(new Set())
  })

  test('that moves to the user who has it, or whose first sign-in is under way, ends nobody', async () => {
    const { add, me, mine, wallets, walletsOf } = await twoUsers()
    expect(await add('move', mine)).toBeUndefined()
    expect(walletsOf(me)).toEqual([mine.address])
    const first = newAccount()
    wallets.owners.set(first.address, { generation: 0, userId: 99, isJoining: true })
    expect(await add('move', first)).toBeUndefined()
    expect(wallets.forgotten).toEqual(new Set())
  })

  test('does not move to a user with 20 wallets', async () => {
    const users = await twoUsers()
    const { add, me, them, mine, theirs, walletsOf } = users
    giveMore(users, me, 19)
    expect(await add('move', theirs)).toBe('too_many_wallets')
    expect(await add('link', newAccount())).toBe('too_many_wallets')
    expect(await add('link', mine)).toBeUndefined()
    expect(walletsOf(them)).toEqual([theirs.address])
  })

  test.each([0, 1])('moves whole after a crash at any moment: %i more', async (more) => {
    const moments = await killEverywhere(
      async () => {
        const users = await twoUsers()
        giveMore(users, users.them, more)
        return users
      },
      ({ add, theirs }, tap) => add('move', theirs, tap),
      async ({ add, me, them, theirs, wallets, walletsOf }) => {
        const having = [me, them].filter((userId) => walletsOf(userId).includes(theirs.address))
        expect(having.length).toBeLessThanOrEqual(1)
        expect(await add('move', theirs)).toBeUndefined()
        expect(walletsOf(me)).toContain(theirs.address)
        expect(walletsOf(them)).toHaveLength(more)
        expect(wallets.forgotten.has(them)).toBe(more === 0)
      },
    )
    expect(moments).toBeGreaterThan(20)
  })
})
