import { expect, test } from 'vitest'
import { playKept } from '../../support/kept-model/kept-history.ts'
import { seed } from '../../support/vitest/seeded.ts'

/** .ci/soak plays 100,000 histories, which takes an hour. */
const histories = Number(process.env['KEPT_HISTORIES'] ?? 200)

// Most rules of lib/domain/keeping, lib/domain/snapshots and lib/domain/holdings that are taken out turn this test red, many within 125
// histories; rarest are a lease that was taken over without writing every item, and a position that is not as it was read: one in thousands. Not
// seen red yet: how far apart two split polls are, the hash of the last event of a call, the step of a snapshot, the time of a read, and a list ahead.
test(`in ${histories} histories of a contract that is kept, every answer was true at a moment since its asOf less the settling time, and after quiet everything is kept`, async () => {
  const totals = { kept: 0, indexed: 0, keptAtEnd: 0, wrongAfterDeep: 0, wrongOfReplaced: 0 }
  for (let number = seed; number < seed + histories; number += 1) {
    const counts = await playKept(number).catch((error) => {
      throw new Error(`the history of the seed ${number}: ${error.message}`, { cause: error })
    })
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += counts[name]
  }
  const { kept, indexed, keptAtEnd, wrongAfterDeep, wrongOfReplaced } = totals
  // The histories would prove nothing if nothing were kept in them.
  expect(kept / (kept + indexed)).toBeGreaterThan(0.5)
  expect(keptAtEnd / (2 * histories)).toBeGreaterThan(0.9)
  expect(wrongAfterDeep / kept).toBeLessThan(0.001)
  expect(wrongOfReplaced).toBeLessThanOrEqual(1 + histories / 10_000)
})

// The seed of a failure.
test('an answer may be wrong in what both passes have read from replaced branches that agree', async () => {
  // Another order of calls makes another history of it.
  await expect(playKept(842_190_135)).resolves.toBeDefined()
})
