import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countPlayers,
  digestRange,
  sketchSize,
  smallestDigests,
} from '../../../lib/domain/usage/usage.ts'
import { check } from '../../support/vitest/seeded.ts'

const digest = fc.integer({ min: 0, max: digestRange - 1 })

/** This number of different digests that are spread at random, from a seed. */
function digestsFrom(seed: number, count: number): Set<number> {
  // xorshift32 visits every number but 0 once.
  let state = seed >>> 0 || 1
  const digests = new Set<number>()
  while (digests.size < count) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    digests.add(state >>> 0)
  }
  return digests
}

describe('D55: the number of distinct players', () => {
  test('D55: fewer than 256 players are counted exactly', () => {
    const digests = fc.uniqueArray(digest, { maxLength: sketchSize - 1 })
    check(
      fc.property(digests, (players) => {
        const counted = { players: players.length, isEstimate: false }
        expect(countPlayers([...players, ...players])).toEqual(counted)
      }),
    )
  })

  test('D55: of more players, the number is an estimate within 25 % (four standard errors)', () => {
    check(
      fc.property(fc.integer(), fc.integer({ min: sketchSize, max: 20_000 }), (seed, count) => {
        const { players, isEstimate } = countPlayers(digestsFrom(seed, count))
        expect(isEstimate).toBe(true)
        expect(Math.abs(players / count - 1)).toBeLessThan(4 / Math.sqrt(sketchSize - 2))
      }),
    )
  })

  test('D55: the standard error is 6.3 %', () => {
    const errors = Array.from({ length: 200 }, (_, seed) => {
      const count = 300 + 25 * seed
      return countPlayers(digestsFrom(seed * 7919 + 1, count)).players / count - 1
    })
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
    const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)
    expect(Math.abs(mean)).toBeLessThan(0.015)
    expect(deviation).toBeLessThan(0.075)
    expect(deviation).toBeGreaterThan(0.03)
  })

  test('D55: the sketch of a union follows from the sketches of its parts', () => {
    const parts = fc.array(fc.array(digest, { maxLength: 400 }), { maxLength: 5 })
    check(
      fc.property(parts, (players) => {
        const sketches = players.map(smallestDigests)
        expect(countPlayers(sketches.flat())).toEqual(countPlayers(players.flat()))
      }),
    )
  })
})
