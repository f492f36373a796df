import { expect, test } from 'vitest'
import type { LookPlace } from '../../../lib/domain/ports/contract-care.ts'
import { nextLook } from '../../../lib/domain/upkeep/next-look.ts'

const minute = 60_000
const start = 1_800_000_000_000

/** What is due in hours of upkeep every 20 seconds, of a chain with blocks of different times. */
function looksOf(hours: number) {
  let [place, number]: [LookPlace | undefined, number] = [undefined, 1_000]
  const looks: { from: number; to: number; at: number; age: number }[] = []
  const times = new Map<number, number>()
  for (let now = start; now < start + hours * 60 * minute; now += 20_000) {
    number += Math.floor(now / 20_000) % 7
    const at = times.get(number) ?? now
    times.set(number, at)
    const next = nextLook(place, { number, at }, now)
    if (!next) continue
    place = next.place
    if (next.due) looks.push({ ...next.due, at: now, age: now - (times.get(next.due.to) ?? now) })
  }
  return looks
}

test('D154: every ten minutes, blocks that ended at least five minutes ago are read again, each once', () => {
  const looks = looksOf(10)
  expect(looks.length).toBeGreaterThan(55)
  expect(looks[0]?.from).toBe(1_000 + 1 + (Math.floor(start / 20_000) % 7))
  for (const [index, { from, at, age }] of looks.entries()) {
    const before = looks[index - 1]
    expect(age).toBeGreaterThanOrEqual(5 * minute)
    if (!before) continue
    expect(from).toBe(before.to + 1)
    expect(at - before.at).toBeGreaterThan(9.5 * minute)
    expect(at - before.at).toBeLessThan(11 * minute)
  }
})

test('nothing is due of a chain that has no new blocks, or earlier ones', () => {
  const mark = { number: 7, at: start }
  const now = start + 5 * minute
  const next = nextLook({ upTo: 7, at: start, mark }, { number: 7, at: start }, now)
  expect(next).toEqual({ place: { upTo: 7, at: now } })
  const earlier = nextLook({ upTo: 9, at: start, mark }, { number: 9, at: start }, now)
  expect(earlier).toEqual({ place: { upTo: 9, at: now } })
})
