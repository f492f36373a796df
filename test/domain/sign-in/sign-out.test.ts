import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Sessions } from '../../../lib/domain/ports/sign-in.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { pollGrant } from '../../../lib/domain/sign-in/device-grants.ts'
import { beginFamily, renewFamily } from '../../../lib/domain/sign-in/refresh-families.ts'
import type { RefreshFamily } from '../../../lib/domain/sign-in/refresh-family.ts'
import type { Session } from '../../../lib/domain/sign-in/session.ts'
import { removeWallet, signOut } from '../../../lib/domain/sign-in/sign-out.ts'
import { validSession } from '../../../lib/domain/sign-in/signed-in.ts'
import { linkWallet, userOfWallet } from '../../../lib/domain/sign-in/wallet-users.ts'
import { killEverywhere } from '../../support/memory/interruptions.ts'
import type { Tap } from '../../support/memory/memory-ports.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'
import { memoryFamilies } from '../../support/sign-in/memory-families.ts'
import { memoryGrants, permitting } from '../../support/sign-in/memory-grants.ts'
import { emptyWallets, walletPorts } from '../../support/sign-in/memory-wallets.ts'
import { tappedBy } from '../../support/sign-in/tapped.ts'

const productId = 'a-product' as ProductId
const start = Date.UTC(2026, 10, 27)
const [w1, w2, w3] = [1, 2, 3].map(addressOf) as [Address, Address, Address]

/** Sessions in memory. */
function memorySessions(stored: Map<string, Session>, tap: Tap = () => undefined): Sessions {
  const tapped = tappedBy(tap)
  return {
    begin: (session) =>
      tapped('begin', () => {
        const text = randomUUID()
        stored.set(text, session)
        return text
      }),
    get: (text) => tapped('session', () => stored.get(text)),
    endAll: (userId, wallet) =>
      tapped('end all', () => {
        for (const [text, session] of stored) {
          const isEnded = wallet === undefined || session.wallet === wallet
          if (session.userId === userId && isEnded) stored.delete(text)
        }
      }),
  }
}

function emptyMemory() {
  const wallets = emptyWallets()
  const sessions = new Map<string, Session>()
  const families = new Map<string, RefreshFamily>()
  return {
    ...{ wallets, sessions, families },
    ports: (tap?: Tap) => ({
      ...walletPorts(wallets, tap),
      sessions: memorySessions(sessions, tap),
      families: memoryFamilies(families, tap),
    }),
  }
}

type Memory = ReturnType<typeof emptyMemory>

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
  const memory = emptyMemory()
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
      const renewed =
        family && (await renewFamily(family, productId, start + 60_000, ports, async () => 'token'))
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
        const { userId, wallets, sessions, families } = memory
        const isNoted = wallets.lists.get(userId)?.signedOutAt !== undefined
        expect(await validOf(memory, begun)).toEqual([!isNoted, !isNoted])
        await signOut(userId, start, memory.ports())
        expect([sessions.size, families.size]).toEqual([0, 0])
      },
    )
    expect(moments).toBe(10)
  })

  test('denies a device grant that the user has approved before', async () => {
    const memory = await newMemory()
    const grant = {
      ...{ userCode: 'BCDFGHJK', deviceCode: 'BCDFGHJK.x', productId, familyId: 'of a device' },
      ...{ askedAt: start, askedFrom: '192.0.2.1' },
    }
    const ports = { ...memory.ports(), ...permitting, deviceGrants: memoryGrants(new Map()) }
    await ports.deviceGrants.add(grant, start)
    const { userId } = memory
    const approved = { kind: 'approved', userId, wallet: w1, beganAt: start } as const
    await ports.deviceGrants.decide(grant.userCode, approved, start)
    await signOut(userId, start + 1_000, ports)
    expect(await pollGrant(grant, productId, start + 2_000, ports, async () => 'token')).toEqual({
      error: 'access_denied',
    })
    expect(memory.families.size).toBe(0)
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
        const { userId, wallets, sessions, families } = memory
        const isListed = wallets.lists.get(userId)?.wallets.includes(w2) ?? false
        expect(await validOf(memory, begun)).toEqual([true, isListed])
        await removeWallet(userId, w2, start, memory.ports())
        expect([sessions.size, families.size]).toEqual([1, 1])
      },
    )
    expect(moments).toBe(16)
  })
})
