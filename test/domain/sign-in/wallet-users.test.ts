import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { type Wallet, walletAt } from '../../../lib/domain/nft/wallet.ts'
import {
  linkWallet,
  unlinkWallet,
  userOfWallet,
  type WalletUserPorts,
} from '../../../lib/domain/sign-in/wallet-users.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { killEverywhere } from '../../support/memory/interruptions.ts'
import { type StoredUsers, signInPorts, storedUsers } from '../../support/sign-in/sign-in-world.ts'

// An address, and its accounts on two chains: three wallets, which lead to each other's users no more than any others.
const [w1, w2, w3] = [undefined, 137, 8453].map((chainId) => walletAt(addressOf(1), chainId)) as [
  Wallet,
  Wallet,
  Wallet,
]
const signIn = (wallet: Wallet, ports: WalletUserPorts) => userOfWallet(wallet, 1_000, ports)
const link = (userId: number, wallet: Wallet, ports: WalletUserPorts) =>
  linkWallet(userId, wallet, 1_000, ports)
const unlink = (userId: number, wallet: Wallet, ports: WalletUserPorts) =>
  unlinkWallet(userId, wallet, 1_000, ports)

/** The wallets of a user. */
const walletsOf = ({ lists }: StoredUsers, userId: number) => lists.get(userId)?.wallets ?? []

/** What must hold at any moment: no wallet has two users, and nobody has one twice. */
function expectOneUserEach({ lists }: StoredUsers): void {
  const listed = [...lists.values()].flatMap(({ wallets }) => wallets)
  expect(listed).toHaveLength(new Set(listed).size)
}

/** What every wallet finds when it signs in: a user who has it. */
async function expectAllSignIn(memory: StoredUsers): Promise<void> {
  const ports = signInPorts(memory)
  for (const wallet of [w1, w2, w3]) {
    const userId = await signIn(wallet, ports)
    expect(walletsOf(memory, userId)).toContain(wallet)
    expect(memory.owners.get(wallet)).toEqual({ generation: expect.any(Number), userId })
    expectOneUserEach(memory)
  }
}

/** A user with the wallets 1 and 2, and another one with the wallet 9. */
async function twoUsers(): Promise<{ memory: StoredUsers; userId: number }> {
  const memory = storedUsers()
  const userId = await signIn(w1, signInPorts(memory))
  await link(userId, w2, signInPorts(memory))
  memory.lists.set(1_000, {
    ...{ wallets: [addressOf(9)], addedAt: [0], version: '1' },
  })
  return { memory, userId }
}

describe('D98: a wallet', () => {
  test('that is linked signs in as the user, and after it was unlinked as somebody new', async () => {
    const memory = storedUsers()
    const ports = signInPorts(memory)
    const userId = await signIn(w1, ports)
    expect(await link(userId, w2, ports)).toBeUndefined()
    expect(await link(userId, w2, ports)).toBeUndefined()
    expect(await signIn(w2, ports)).toBe(userId)
    expect(await unlink(userId, w2, ports)).toBeUndefined()
    expect(memory.owners.get(w2)).toEqual({ generation: 1 })
    const other = await signIn(w2, ports)
    expect(other).not.toBe(userId)
    expect(await unlink(userId, w2, ports)).toBe('no_such_wallet')
    expect(await link(userId, w2, ports)).toBe('wallet_of_another_user')
    expect([walletsOf(memory, userId), walletsOf(memory, other)]).toEqual([[w1], [w2]])
  })

  test('is refused as the 21st of a user', async () => {
    const memory = storedUsers()
    const ports = signInPorts(memory)
    const userId = await signIn(w1, ports)
    for (let number = 10; number < 29; number += 1) {
      expect(await link(userId, addressOf(number), ports)).toBeUndefined()
    }
    expect(await link(userId, w2, ports)).toBe('too_many_wallets')
    expect(walletsOf(memory, userId)).toHaveLength(20)
    expect(await signIn(w2, ports)).not.toBe(userId)
  })

  test('that a crash has reserved for a user who is then forgotten begins as somebody new', async () => {
    const { memory, userId } = await twoUsers()
    const ports = signInPorts(memory)
    memory.owners.set(w3, { generation: 0, userId, isJoining: true })
    memory.forgotten.add(userId)
    memory.lists.delete(userId)
    const next = await signIn(w3, ports)
    expect(next).not.toBe(userId)
    expect(memory.owners.get(w3)).toEqual({ generation: 1, userId: next })
  })

  test('that a crash has reserved for another user takes no user id when that user repeats the change', async () => {
    const { memory, userId } = await twoUsers()
    memory.owners.set(w3, { generation: 0, userId, isJoining: true })
    const { size } = memory.userIds
    expect(await link(userId, w3, signInPorts(memory))).toBeUndefined()
    expect([walletsOf(memory, userId), memory.userIds.size]).toEqual([[w1, w2, w3], size])
  })

  test('of a user who was forgotten begins as somebody new', async () => {
    const memory = storedUsers()
    const ports = signInPorts(memory)
    const userId = await signIn(w1, ports)
    memory.lists.delete(userId)
    expect(await signIn(w1, ports)).not.toBe(userId)
  })
})

test.each([
  ['a first sign-in', 8, (_: number, ports: WalletUserPorts) => signIn(w3, ports)],
  ['linking', 8, (userId: number, ports: WalletUserPorts) => link(userId, w3, ports)],
  ['unlinking', 7, (userId: number, ports: WalletUserPorts) => unlink(userId, w2, ports)],
] as const)(
  'D98: after a crash before or after any call of %s, each wallet has one user, and nobody loses the last',
  async (_, least, act) => {
    const { memory: begun, userId } = await twoUsers()
    const moments = await killEverywhere(
      () => structuredClone(begun),
      (memory, tap) => act(userId, signInPorts(memory, tap)),
      async (memory) => {
        expectOneUserEach(memory)
        expect(walletsOf(memory, userId)).toContain(w1)
        const again = structuredClone(memory)
        await expectAllSignIn(memory)
        // A repeat completes it.
        await act(userId, signInPorts(again))
        expectOneUserEach(again)
        await expectAllSignIn(again)
      },
    )
    expect(moments).toBeGreaterThanOrEqual(least)
  },
)

describe('D98: at the same time', () => {
  test('the first sign-ins of a wallet are those of one user, and none fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 6 }), async (scheduler, count) => {
        const memory = storedUsers()
        const ports = signInPorts(memory, () => scheduler.schedule(Promise.resolve()))
        const signIns = Promise.all(Array.from({ length: count }, () => signIn(w1, ports)))
        signIns.catch(() => undefined)
        await scheduler.waitIdle()
        expect(new Set(await signIns).size).toBe(1)
        expect(memory.userIds.size).toBe(1)
      }),
      { numRuns: 100 },
    )
  })

  type Act = (ports: WalletUserPorts, userId: number) => Promise<unknown>
  const acts: Record<string, Act> = {
    'sign in with 1': (ports) => signIn(w1, ports),
    'sign in with 2': (ports) => signIn(w2, ports),
    'sign in with 3': (ports) => signIn(w3, ports),
    'link 2': (ports, userId) => link(userId, w2, ports),
    'link 3': (ports, userId) => link(userId, w3, ports),
    'another links 3': (ports) => link(1_000, w3, ports),
    'unlink 1': (ports, userId) => unlink(userId, w1, ports),
    'unlink 2': (ports, userId) => unlink(userId, w2, ports),
  }

  const names = Object.keys(acts)

  test.each(names)('"%s" can be crossed by any other act at any moment', async (name) => {
    for (const other of names) {
      for (let crossedAt = 0, moments = 0; moments >= crossedAt; crossedAt += 1) {
        const { memory, userId } = await twoUsers()
        moments = 0
        const ports = signInPorts(memory, async () => {
          moments += 1
          if (moments === crossedAt) await acts[other]?.(signInPorts(memory), userId)
          expectOneUserEach(memory)
        })
        const result = await acts[name]?.(ports, userId)
        if (name === 'unlink 2' && other === name) expect(result).not.toBe('last_wallet')
        expectOneUserEach(memory)
        expect(walletsOf(memory, userId).length).toBeGreaterThan(0)
        await expectAllSignIn(memory)
      }
    }
  })

  /** Some acts, of which some are killed, in any order of their calls: what holds at each moment and afterwards. */
  test('each wallet has one user at any moment, and nobody loses the last', async () => {
    const runs = Number(process.env['GENERATED_PROOFS'] ?? 300)
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(
          fc.record({
            name: fc.constantFrom(...names),
            killedAt: fc.option(fc.nat(16), { nil: undefined }),
          }),
          { minLength: 2, maxLength: 4 },
        ),
        async (scheduler, chosen) => {
          const { memory, userId } = await twoUsers()
          const running = chosen.map(async ({ name, killedAt }) => {
            let moments = 0
            const ports = signInPorts(memory, async (call) => {
              await scheduler.schedule(Promise.resolve(), `${name}: ${call}`)
              moments += 1
              if (killedAt !== undefined && moments > killedAt) await new Promise(() => undefined)
              expectOneUserEach(memory)
            })
            await acts[name]?.(ports, userId)
          })
          const failures: unknown[] = []
          for (const run of running) run.catch((error) => failures.push(error))
          await scheduler.waitIdle()
          // Requests that cross each other over and over end, without an effect.
          expect(failures.filter((error) => !(error instanceof ServiceUnavailable))).toEqual([])
          expectOneUserEach(memory)
          expect(walletsOf(memory, userId).length).toBeGreaterThan(0)
          await expectAllSignIn(memory)
        },
      ),
      { numRuns: runs },
    )
  })
})
