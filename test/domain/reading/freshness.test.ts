import { describe, expect, test } from 'vitest'
import {
  type AcceptedAge,
  type ChainEvidence,
  momentOf,
  type RememberingSettings,
  staleMoment,
} from '../../../lib/domain/reading/freshness.ts'

const now = 1_000_000_000
const seconds = (count: number) => count * 1_000
const ago = (count: number) => now - seconds(count)

const settings: RememberingSettings = {
  rememberSeconds: 60,
  rememberFollowedSeconds: 3_600,
  settlingSeconds: 30,
}

/** A reading of this age, whose block is as old as itself. */
const readingOf = (age: number) => ({ readAt: ago(age), block: { number: 1, at: ago(age) } })

describe('D65: on a chain that is not followed', () => {
  const moment = (age: number, accepted?: AcceptedAge, refreshedAt?: number) =>
    momentOf(readingOf(age), { now, refreshedAt }, settings, accepted)

  test('a reading is used until it is as old as the deployment allows', () => {
    expect(moment(59)).toBe(ago(59))
    expect(moment(60)).toBeUndefined()
  })

  test('nothing is used with rememberSeconds 0', () => {
    const off = { ...settings, rememberSeconds: 0 }
    expect(momentOf(readingOf(0), { now }, off)).toBeUndefined()
  })

  test('a reading speaks of its block, and without one of the moment it was asked for', () => {
    const read = { readAt: ago(5) }
    expect(momentOf(read, { now }, settings)).toBe(ago(5))
    expect(momentOf({ ...read, block: { number: 1, at: ago(70) } }, { now }, settings)).toBe(
      undefined,
    )
  })

  test('D67: the caller can accept a lower age, or none', () => {
    expect(moment(10, { maxAgeSeconds: 10 })).toBe(ago(10))
    expect(moment(11, { maxAgeSeconds: 10 })).toBeUndefined()
    expect(moment(60, { maxAgeSeconds: 1_000 })).toBeUndefined()
    expect(moment(0, { refusesKept: true })).toBeUndefined()
  })

  test('D31: a refresh at work since then ends its use', () => {
    expect(moment(10, {}, ago(11))).toBe(ago(10))
    expect(moment(10, {}, ago(10))).toBeUndefined()
    expect(moment(10, {}, now)).toBeUndefined()
  })
})

describe('D65: on a followed chain', () => {
  const followed: ChainEvidence = {
    confirmedUpTo: ago(2),
    distrustedBefore: ago(1_000),
    contracts: [{ followedSince: ago(1_000) }, { followedSince: ago(2_000) }],
  }
  const momentWith = (change: Partial<ChainEvidence>, reading = readingOf(100)) =>
    momentOf(reading, { now, chain: { ...followed, ...change } }, settings)

  test('a reading speaks of the moment up to which the follower has confirmed its notes', () => {
    expect(momentWith({})).toBe(ago(2))
    expect(momentWith({ confirmedUpTo: ago(60) }, readingOf(40))).toBe(ago(40))
    expect(momentWith({ confirmedUpTo: now + 5 })).toBe(now)
  })

  test('rememberSeconds does not concern it, and rememberFollowedSeconds does', () => {
    const old = { contracts: [{ followedSince: 0 }], distrustedBefore: 0 }
    expect(momentWith(old, readingOf(3_599))).toBe(ago(2))
    expect(momentWith(old, readingOf(3_600))).toBeUndefined()
  })

  // A reading of 100 seconds ago has settled 130 seconds ago. Times of blocks are whole seconds, and several blocks can
  // share one. So the data of an indexer that is exactly the settling time behind end with any of the blocks of that second:
  // - the block of a movement can be a later one of them, which the data do not have;
  // - the first block from which on a contract is followed can be a later one, too. Nobody has noted the events between;
  // - the same holds for the block of new metadata.
  test.each<[string, Partial<ChainEvidence>, Partial<ChainEvidence>]>([
    ['the follower is behind', { confirmedUpTo: ago(60) }, { confirmedUpTo: ago(60) - 1 }],
    ['an NFT has moved', { movedAt: ago(130) - 1 }, { movedAt: ago(130) }],
    ['the follower began later', since(130, -1), since(130)],
    ['a contract is not followed', since(130, -1), { contracts: [{ followedSince: 0 }, {}] }],
    ['the contract was noted after the position was read', noted(7), noted(8)],
    ['metadata has changed', changed(130, -1), changed(130)],
    ['the notes are distrusted', { distrustedBefore: ago(130) }, { distrustedBefore: ago(129) }],
  ])('the indexer is asked if %s', (_, usable, doubtful) => {
    expect(momentWith(usable)).toBe(usable.confirmedUpTo ?? ago(2))
    expect(momentWith(doubtful)).toBeUndefined()
  })

  test('the indexer is asked if a reading states no block', () => {
    expect(momentWith({}, { readAt: ago(100) } as never)).toBeUndefined()
  })

  test('a reading from before a reorganisation is not used, whatever its block', () => {
    const reading = { readAt: ago(100), block: { number: 1, at: ago(100) } }
    const evidence = { now, chain: { ...followed, distrustedBefore: ago(99) } }
    expect(momentOf(reading, evidence, { ...settings, settlingSeconds: 0 })).toBeUndefined()
    const earlier = { readAt: ago(100), block: { number: 1, at: ago(50) } }
    expect(momentOf(earlier, evidence, { ...settings, settlingSeconds: 0 })).toBeUndefined()
  })

  test('D67: max-age is compared with the confirmed moment', () => {
    const evidence = { now, chain: followed }
    expect(momentOf(readingOf(100), evidence, settings, { maxAgeSeconds: 2 })).toBe(ago(2))
    expect(momentOf(readingOf(100), evidence, settings, { maxAgeSeconds: 1 })).toBeUndefined()
  })
})

function since(age: number, milliseconds = 0): Partial<ChainEvidence> {
  return { contracts: [{ followedSince: 0 }, { followedSince: ago(age) + milliseconds }] }
}

/** Evidence with a position of step 7, and a contract whose beginning a step has noted. */
function noted(followedStep: number): Partial<ChainEvidence> {
  return { step: 7, contracts: [{ followedSince: 0 }, { followedSince: 0, followedStep }] }
}

function changed(age: number, milliseconds = 0): Partial<ChainEvidence> {
  const metadataChangedAt = ago(age) + milliseconds
  return { contracts: [{ followedSince: 0 }, { followedSince: 0, metadataChangedAt }] }
}

describe('D67: while the indexer is down', () => {
  test.each([
    [undefined, 1, false],
    [10, 10, true],
    [10, 11, false],
    [1_000_000, 86_400, true],
    [1_000_000, 86_401, false],
  ])('stale-if-error=%s permits an age of %i s: %s', (staleIfErrorSeconds, age, isPermitted) => {
    const moment = staleMoment(readingOf(age), now, { staleIfErrorSeconds })
    expect(moment).toBe(isPermitted ? ago(age) : undefined)
  })
})
