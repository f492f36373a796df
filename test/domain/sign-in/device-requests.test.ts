import { describe, expect, test } from 'vitest'
import { RateLimited } from '../../../lib/domain/failures.ts'
import type { StoredProduct } from '../../../lib/domain/product/stored-product.ts'
import { decideDeviceRequest, deviceRequest } from '../../../lib/domain/sign-in/device-requests.ts'
import type { Session } from '../../../lib/domain/sign-in/session.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { storedProduct } from '../../support/memory/http-chain.ts'
import { killEverywhere } from '../../support/memory/interruptions.ts'
import type { Tap } from '../../support/memory/memory-ports.ts'
import { productId } from '../../support/memory/owned-nfts.ts'
import { network } from '../../support/sign-in/proofs.ts'
import { permitting, signInWorld } from '../../support/sign-in/sign-in-world.ts'

const start = Date.UTC(2026, 10, 27)
const session = { userId: 7, wallet: addressOf(1), beganAt: start - 60_000 }

/** How somebody decides, if not at once in the session above. */
interface Decided extends Partial<Session> {
  text?: string
  now?: number
  tap?: Tap
}

/** A game that has asked with the code BCDF-GHJK, and what has counted as a guess. */
async function asking(from = network) {
  const both = [addressOf(1), addressOf(2)]
  const world = signInWorld({ 7: both, 8: both, 9: both })
  const game: { product: StoredProduct | undefined } = { product: permitting }
  const calls: string[] = []
  const note = (call: string) => async (of: number | string) => void calls.push(`${call} ${of}`)
  const ports = {
    ...world.ports(),
    productAccess: { get: async () => game.product },
    signInUse: {
      ...world.ports().signInUse,
      ...{ guess: note('guess'), guessedRight: note('right'), guessedWrong: note('wrong') },
    },
  }
  const grant = { userCode: 'BCDFGHJK', deviceCode: 'BCDFGHJK.x', productId, familyId: 'family' }
  await ports.deviceGrants.add({ ...grant, askedAt: start, askedFrom: from }, start)
  const see = (text: string, now = start) => deviceRequest(session, text, { now, network }, ports)
  const decide = (
    approve: boolean,
    { text = 'bcdf-ghjk', now = start, tap, ...other }: Decided = {},
  ) =>
    decideDeviceRequest(
      { ...session, ...other },
      text,
      { now, network, approve },
      {
        ...{ ...ports, families: world.ports(tap).families },
        deviceGrants: tap ? world.ports(tap).deviceGrants : ports.deviceGrants,
      },
    )
  return { ...world, game, calls, ports, see, decide }
}

type Asking = Awaited<ReturnType<typeof asking>>
type DecidedRequest = Awaited<ReturnType<Asking['decide']>>

/** Approves once for each of its moments, at which somebody else decides, and shows what both got. */
async function atEachMoment(
  other: (setting: Asking) => Promise<DecidedRequest>,
  thenWhat: (both: DecidedRequest[], setting: Asking) => void,
): Promise<void> {
  for (let moment = 0, moments = 1; moment < moments; moment += 1) {
    const setting = await asking()
    let others: Promise<DecidedRequest> | undefined
    moments = 0
    const tap = async () => {
      if (moments === moment) others = other(setting)
      moments += 1
      await others
    }
    thenWhat([await setting.decide(true, { tap }), await others], setting)
  }
}

describe('D108: a user sees a game that asks', () => {
  test('with the code in any notation, and from which network', async () => {
    const { see, calls } = await asking()
    const seen = {
      ...{ userCode: 'BCDFGHJK', product: permitting, state: 'pending', askedAt: start },
      isSameNetwork: true,
    }
    expect(await see('bcdf ghjk')).toEqual(seen)
    expect(calls).toEqual(['guess 7', 'right 7'])
    const elsewhere = await asking('198.51.100.1')
    expect(await elsewhere.see('BCDF-GHJK')).toEqual({ ...seen, isSameNetwork: false })
  })

  test.each([
    ['another code', 'BCDF-GHJL'],
    ['no code', 'AEIOU'],
    ['nothing', ''],
  ])('but not with %s, which is a guess', async (_, text) => {
    const { see, calls } = await asking()
    expect(await see(text)).toBeUndefined()
    expect(calls).toEqual(['guess 7', `wrong ${network}`])
  })

  test('but not of a product that does not sign players in any more', async () => {
    const { see, game } = await asking()
    game.product = storedProduct()
    expect(await see('BCDF-GHJK')).toBeUndefined()
    game.product = undefined
    expect(await see('BCDF-GHJK')).toBeUndefined()
  })

  test('D140: with the right code, also when the limit of the network refuses wrong ones', async () => {
    const { see, ports } = await asking()
    const limit = { name: 'device_guesses_by_address', count: 200, perSeconds: 3_600 } as const
    ports.signInUse.guessedWrong = () => Promise.reject(new RateLimited(limit, 60))
    await expect(see('BCDFGHJL')).rejects.toThrow(RateLimited)
    expect(await see('BCDFGHJK')).toMatchObject({ state: 'pending' })
  })

  test('but not when the limit of the user refuses, and nothing is looked up', async () => {
    const { see, ports } = await asking()
    const limit = { name: 'device_guesses', count: 10, perSeconds: 3_600 } as const
    ports.signInUse.guess = () => Promise.reject(new RateLimited(limit, 60))
    ports.deviceGrants.get = () => Promise.reject(new Error('looked up'))
    await expect(see('BCDF-GHJK')).rejects.toThrow(RateLimited)
  })
})

describe('D108: a user decides', () => {
  test.each([
    [true, 'approved', { kind: 'approved', ...session }],
    [false, 'denied', { kind: 'denied' }],
  ])('once: %s', async (approve, state, decision) => {
    const { decide, grants, see } = await asking()
    expect(await decide(approve)).toMatchObject({ state, isDecided: true })
    expect([...grants.values()]).toMatchObject([{ decision }])
    // The answer may have been lost.
    expect(await decide(approve)).toMatchObject({ state, isDecided: true })
    expect(await decide(!approve, { userId: 8 })).toMatchObject({ state, isDecided: false })
    expect([...grants.values()]).toMatchObject([{ decision }])
    expect(await see('BCDFGHJK', start + 700_000)).toMatchObject({ state })
  })

  test('nothing about a code that has expired, or that is wrong', async () => {
    const { decide, grants } = await asking()
    const late = await decide(true, { now: start + 600_000 })
    expect(late).toMatchObject({ state: 'expired', isDecided: false })
    expect(await decide(true, { text: 'BCDFGHJL' })).toBeUndefined()
    expect([...grants.values()]).not.toMatchObject([{ decision: expect.anything() }])
  })

  test('D118: and nobody gives access who is not the first to decide', async () => {
    const { decide, families } = await asking()
    const users = [7, 8, 9]
    const all = await Promise.all(users.map((userId) => decide(true, { userId })))
    const first = users.filter((_, index) => all[index]?.isDecided)
    expect(first).toHaveLength(1)
    expect([...families.values()].map(({ userId }) => userId)).toEqual(first)
  })

  test('D144: in two tabs, and the game has the access that the first of them gave', async () => {
    const tab = { wallet: addressOf(2), beganAt: start - 30_000 }
    await atEachMoment(
      ({ decide }) => decide(true, tab),
      (both, { grants, families }) => {
        expect(both).toMatchObject([{ isDecided: true }, { isDecided: true }])
        const [{ decision } = {}] = grants.values()
        const { kind, ...begun } = decision ?? {}
        expect([kind, ...families.values()]).toMatchObject(['approved', { ...begun, counter: 0 }])
      },
    )
  })

  test('D144: and again only while the game has the access', async () => {
    const isLater = { state: 'approved', isDecided: false }
    const again = { beganAt: start + 2_000 }
    const ended = await asking()
    await ended.decide(true)
    await ended.ports.families.end(7, 'family')
    expect(await ended.decide(true)).toMatchObject(isLater)
    expect(ended.families.size).toBe(0)
    // Without the end of the families, as a crash can leave it.
    const signedOut = await asking()
    await signedOut.decide(true)
    await signedOut.ports.walletLists.signOut(7, start + 1_000)
    expect(await signedOut.decide(true, again)).toMatchObject(isLater)
    expect(signedOut.families.size).toBe(0)
  })

  test('D144: but a denial in the other tab that is first gives nothing', async () => {
    const sizes = new Set<string>()
    await atEachMoment(
      ({ decide }) => decide(false),
      (both, { families }) => {
        expect(both.map((each) => each?.isDecided).toSorted()).toEqual([false, true])
        sizes.add(`${both[0]?.state} ${families.size}`)
      },
    )
    expect(sizes).toEqual(new Set(['denied 0', 'approved 1']))
  })

  test('and a crash at any moment leaves a code that the same user approves again', async () => {
    await killEverywhere(
      () => asking(),
      ({ decide }, tap) => decide(true, { tap }),
      async ({ decide, families, grants }) => {
        const wallet = addressOf(2)
        expect(await decide(true, { wallet })).toMatchObject({ state: 'approved', isDecided: true })
        const [{ decision } = {}] = grants.values()
        const { kind: _, ...begun } = decision ?? { kind: undefined }
        expect([...families.values()]).toMatchObject([begun])
      },
    )
  })

  test('D144: and a denial ends what an approval has left that a crash has stopped', async () => {
    await killEverywhere(
      () => asking(),
      ({ decide }, tap) => decide(true, { tap }),
      async ({ decide, families }) => {
        const denied = await decide(false)
        expect(families.size).toBe(denied?.state === 'denied' ? 0 : 1)
      },
    )
  })
})
