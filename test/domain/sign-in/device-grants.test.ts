import { describe, expect, test } from 'vitest'
import { RateLimited, ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { DeviceGrants } from '../../../lib/domain/ports/sign-in.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { askingNetwork, unknownNetwork } from '../../../lib/domain/sign-in/asking-network.ts'
import { parseUserCode, userCodeText } from '../../../lib/domain/sign-in/device-grant.ts'
import { beginGrant, pollGrant } from '../../../lib/domain/sign-in/device-grants.ts'
import { beginFamily, renewFamily } from '../../../lib/domain/sign-in/refresh-families.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { killEverywhere } from '../../support/memory/interruptions.ts'
import type { Tap } from '../../support/memory/memory-ports.ts'
import { signInWorld } from '../../support/sign-in/sign-in-world.ts'

const product = 'a-product' as ProductId
const other = 'another-product' as ProductId
const start = Date.UTC(2026, 10, 26)
const beganAt = start - 60_000
const approved = { kind: 'approved', userId: 7, wallet: addressOf(1), beganAt } as const
const token = { userId: 7, familyId: 'family', counter: 0 }
const given = { family: token, playerToken: 'a player token' }

/** A grant that a game has begun at `start`. */
async function newGrant() {
  const world = signInWorld({ 7: [addressOf(1)] })
  const { ports } = world
  const request = { productId: product, familyId: 'family', askedFrom: '192.0.2.1' }
  const grant = await beginGrant(request, start, ports())
  const poll = (
    at: number,
    { productId = product, tap }: { productId?: ProductId; tap?: Tap } = {},
  ) => pollGrant(grant, productId, start + at, ports(tap))
  const decide = (decision: Parameters<DeviceGrants['decide']>[1], at: number) =>
    ports().deviceGrants.decide(grant.userCode, decision, start + at)
  /** Approves as a user does, which begins the family. */
  const approve = async (at: number) => {
    const { kind: _, ...begun } = approved
    await beginFamily(
      { ...begun, familyId: 'family', productId: product },
      start + at,
      ports().families,
    )
    return await decide(approved, at)
  }
  return { ...world, grant, poll, decide, approve }
}

describe('D101: a device grant', () => {
  test('is asked for every five seconds, of which late requests can take one', async () => {
    const { poll, approve } = await newGrant()
    await poll(0)
    expect(await poll(3_999)).toEqual({ error: 'slow_down' })
    expect(await poll(4_000)).toEqual({ error: 'authorization_pending' })
    await approve(6_000)
    expect(await poll(7_999)).toEqual({ error: 'slow_down' })
    expect(await poll(8_000)).toMatchObject(given)
  })

  test('D129: notes one of several polls at the same time, and none that is refused', async () => {
    const { poll, decide, grants } = await newGrant()
    const both = await Promise.all([poll(0), poll(1)])
    expect(both).toEqual([{ error: 'authorization_pending' }, { error: 'authorization_pending' }])
    await decide({ kind: 'denied' }, 2)
    const denied = { error: 'access_denied' }
    expect([await poll(1_000), await poll(10_000)]).toEqual([denied, denied])
    expect(await poll(600_000)).toEqual({ error: 'expired_token' })
    expect([...grants.values()]).toMatchObject([{ polledAt: start }])
  })

  test('D141: a poll just after a noted one gets its answer, and is not noted', async () => {
    const { poll, approve, grants, families } = await newGrant()
    const pending = { error: 'authorization_pending' }
    expect([await poll(0), await poll(999), await poll(1_000)]).toEqual([
      ...[pending, pending, { error: 'slow_down' }],
    ])
    await poll(5_000)
    await approve(5_100)
    expect(await poll(5_999)).toEqual(pending)
    expect([...grants.values()]).toMatchObject([{ polledAt: start + 5_000 }])
    expect(grants.values().next().value?.usedAt).toBeUndefined()
    expect([await poll(10_000), await poll(10_999)]).toMatchObject([given, given])
    families.clear()
    const denied = { error: 'access_denied' }
    expect([await poll(15_000), await poll(15_001)]).toEqual([denied, denied])
  })

  test('D141: a repeat of the poll that got the first token counts no other one', async () => {
    const { poll, approve, tokensLeft } = await newGrant()
    await approve(0)
    tokensLeft.set(7, 1)
    expect([await poll(0), await poll(999)]).toMatchObject([given, given])
    await expect(poll(4_000)).rejects.toThrow(RateLimited)
    await expect(poll(4_001)).rejects.toThrow(RateLimited)
  })

  test('D144: has the wallet and the time of the approval, whichever tab has begun the family', async () => {
    const { grant, approve, families, ports } = await newGrant()
    const other = { wallet: addressOf(2), beganAt: beganAt + 1 }
    await beginFamily({ ...token, productId: product, ...other }, start, ports().families)
    await approve(0)
    const { kind: _, ...begun } = approved
    expect(await pollGrant(grant, product, start, ports())).toMatchObject({ family: begun })
    expect([...families.values()]).toMatchObject([begun])
  })

  test('gives its first token again for a minute, and then never', async () => {
    const { poll, approve, ports } = await newGrant()
    await approve(0)
    expect(await poll(0)).toMatchObject(given)
    const renewed = await renewFamily(token, product, start, ports())
    expect(await poll(59_999)).toMatchObject(given)
    expect(renewed).toMatchObject({ family: { counter: 1 } })
    expect(await poll(65_000)).toEqual({ error: 'invalid_grant' })
  })

  test('gives nothing once the user has ended the access, before or after the first poll', async () => {
    const { poll, approve, families } = await newGrant()
    await approve(0)
    families.clear()
    expect(await poll(0)).toEqual({ error: 'access_denied' })
    const used = await newGrant()
    await used.approve(0)
    await used.poll(0)
    used.families.clear()
    expect(await used.poll(5_000)).toEqual({ error: 'access_denied' })
  })

  test('is of one product, and its codes expire after ten minutes', async () => {
    const { grant, poll, ports } = await newGrant()
    expect(await poll(0, { productId: other })).toEqual({ error: 'invalid_grant' })
    expect(await poll(599_999)).toEqual({ error: 'authorization_pending' })
    expect(await poll(605_000)).toEqual({ error: 'expired_token' })
    const unknown = { ...grant, deviceCode: 'unknown' }
    const polled = pollGrant(unknown, product, start, ports())
    expect(await polled).toEqual({ error: 'invalid_grant' })
  })

  test('is completed by the next poll after a crash at any moment', async () => {
    const moments = await killEverywhere(
      async () => {
        const setting = await newGrant()
        await setting.approve(0)
        return setting
      },
      (setting, tap) => setting.poll(0, { tap }),
      async ({ poll, families }) => {
        expect(await poll(5_000)).toMatchObject(given)
        expect(families.size).toBe(1)
      },
    )
    expect(moments).toBe(14)
  })

  test('D103: waits for the limit of player tokens, and for KMS, without having given anything out', async () => {
    const { grant, poll, approve, tokensLeft, ports } = await newGrant()
    await approve(0)
    tokensLeft.set(7, 0)
    await expect(poll(0)).rejects.toThrow(RateLimited)
    tokensLeft.set(7, 2)
    const playerTokenMint = { mint: () => Promise.reject(new ServiceUnavailable('KMS')) }
    const later = start + 100_000
    await expect(pollGrant(grant, product, later, { ...ports(), playerTokenMint })).rejects.toThrow(
      ServiceUnavailable,
    )
    expect(await poll(200_000)).toMatchObject(given)
    await expect(poll(205_000)).rejects.toThrow(RateLimited)
  })

  test('gets another user code while its own is taken', async () => {
    const { grant, ports } = await newGrant()
    const taken = [grant.userCode, grant.userCode, 'BCDFGHJK']
    const request = { productId: product, familyId: 'other', askedFrom: '192.0.2.1' }
    const begin = (at: number, newUserCode: () => string) => {
      const { deviceCodes, ...others } = ports()
      return beginGrant(request, at, { ...others, deviceCodes: { ...deviceCodes, newUserCode } })
    }
    expect((await begin(start, () => taken.shift() ?? '')).userCode).toBe('BCDFGHJK')
    const always = () => grant.userCode
    await expect(begin(start, always)).rejects.toThrow(ServiceUnavailable)
    expect((await begin(start + 600_000, always)).userCode).toBe(grant.userCode)
  })
})

test('D101: a user code has 8 of 20 letters, and is read as people type it', () => {
  const { newUserCode } = signInWorld().ports().deviceCodes
  const codes = Array.from({ length: 500 }, newUserCode)
  for (const code of codes) {
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
    const text = userCodeText(code)
    expect(text).toBe(`${code.slice(0, 4)}-${code.slice(4)}`)
    for (const typed of [code, text, text.toLowerCase(), ` ${[...code].join(' - ')} `])
      expect(parseUserCode(typed)).toBe(code)
  }
  expect(new Set([...codes.join('')]).size).toBe(20)
  expect(new Set(codes).size).toBe(codes.length)
})

test.each(['', 'BCDFGHJ', 'BCDFGHJKL', 'BCDFGHJA', 'BCDFGHJ1', 'BCDF_GHJK', 'BCDFGHJ\u212a'])(
  'D101: %j is no user code',
  (text) => {
    expect(parseUserCode(text)).toBeUndefined()
  },
)

const network = '192.0.2.1'

const domains = ['game.example', 'play.example:8443', 'localhost:5173']

const asking = (origin?: string, fetchSite?: string) =>
  askingNetwork(network, { origin, fetchSite }, domains)

describe('D131: the network that asks for a code is that of the game', () => {
  test.each([
    ['a program', undefined, undefined],
    ['a page of the game', 'https://game.example', 'cross-site'],
    ['a page of the game in an older browser', 'https://game.example', undefined],
    ['a page at another port', 'https://play.example:8443', 'cross-site'],
    ['a page on the machine of its developer', 'http://localhost:5173', 'same-site'],
    ['an address that somebody has typed', undefined, 'none'],
    ['a page of the same origin', undefined, 'same-origin'],
  ])('if %s asks', (_, origin, fetchSite) => {
    expect(asking(origin, fetchSite)).toBe(network)
  })

  test.each([
    ['another page', 'https://evil.example', 'cross-site'],
    ['another page, as if somebody had typed its address', 'https://evil.example', 'none'],
    ['a page that hides its origin', 'null', 'cross-site'],
    ['an origin without a name', '', undefined],
    ['a page of the game without encryption', 'http://game.example', 'cross-site'],
    ['a page at a port that is not that of the game', 'https://game.example:8443', 'cross-site'],
    ['a page whose name only ends in that of the game', 'https://evilgame.example', undefined],
    ['a page below the game', 'https://user.game.example', 'same-site'],
    ['two origins', 'https://game.example,https://evil.example', undefined],
    ['a page of another site without an origin', undefined, 'cross-site'],
    ['a page of another host of the site', undefined, 'same-site'],
    ['a page of a kind that is not known', undefined, 'another'],
  ])('but not if %s asks', (_, origin, fetchSite) => {
    expect(asking(origin, fetchSite)).toBeUndefined()
  })

  test('but not if a page asks for a game without hosts', () => {
    const page = { origin: 'https://game.example', fetchSite: undefined }
    expect(askingNetwork(network, page, [])).toBeUndefined()
  })

  test('and one that nobody knows is not that of anybody', () => {
    const program = { origin: undefined, fetchSite: undefined }
    expect(askingNetwork(unknownNetwork, program, domains)).toBeUndefined()
  })
})
