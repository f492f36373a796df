import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foundHistories } from '../../support/remembered-model/found-histories.ts'
import { someHistory } from '../../support/remembered-model/history.ts'
import { someListHistory } from '../../support/remembered-model/list-history.ts'
import { play } from '../../support/remembered-model/play.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

/** .ci/soak plays 100,000 histories, which takes half an hour. */
const histories = Number(process.env['MODEL_HISTORIES'] ?? 1_000)

// The rules of D65, D66, D67 and D91 that are taken out of lib/domain turn this test red, with these exceptions:
// - a refresh that happens while several pages are read is too rare in it: wallet-reading.test.ts tests how old they are;
// - so is what a caller says with a cursor for a wallet that no part has read yet, which remembered-reads.test.ts tests;
// - the two comparisons with `distrustedBefore` cover each other, and what a gap or a lost position does to the contracts;
// - readers do not rely on the last hour of a lease, so that nothing depends on what the follower notes when it has ended;
// - the marks of returned NFTs cover how a list goes on within the first page of the indexer;
// - nodes that change their branch one after the other rarely hide it: replaced-blocks.test.ts tests when a block is compared;
// - the earliest block of a list of several requests: gathering.test.ts tests it, and readAt covers it here;
// - lower costs have no effect on answers: the longest gap, the blocks of a step, and what is noted a second time.
describe(`${histories} histories of a chain that is followed`, () => {
  test('D65, D66, D67: every answer was true at a moment since its asOf less the settling time, and after quiet everybody sees the truth', {
    timeout: 7_200_000,
  }, async () => {
    const totals = { reads: 0, remembered: 0, stale: 0, expired: 0, failed: 0 }
    await checkAsync(
      fc.asyncProperty(someHistory, async (history) => {
        const counts = await play(history)
        for (const name of Object.keys(totals) as (keyof typeof totals)[])
          totals[name] += counts[name]
      }),
      histories,
    )
    // The histories would prove nothing if nothing were remembered in them.
    expect(totals.remembered / totals.reads).toBeGreaterThan(0.2)
    expect(totals.stale).toBeGreaterThan(0)
  })
})

test('D91: every answer is true although lists were read in parts, and requests that kept them were killed', {
  timeout: 7_200_000,
}, async () => {
  const totals = { reads: 0, remembered: 0 }
  await checkAsync(
    fc.asyncProperty(someListHistory, async (history) => {
      const { reads, remembered } = await play(history)
      totals.reads += reads
      totals.remembered += remembered
    }),
    Math.ceil(histories / 3),
  )
  expect(totals.remembered / totals.reads).toBeGreaterThan(0.2)
})

test.each(foundHistories)('D66: every answer is true although $name', async (history) => {
  await play(history)
})
