import { expect, test } from 'vitest'
import type { DailyUsage } from '../../../clients/typescript/src/types.ts'
import { firstSteps } from '../../../dashboard/views/nfts/first-steps.tsx'

const day = (...calls: [operation: string, outcome: string, count: number][]) =>
  ({
    calls: calls.map(([operation, outcome, count]) => ({ operation, outcome, count })),
  }) as DailyUsage

test.each([
  ['nothing is done', false, [], 0, [false, false, false]],
  [
    'other calls and refused ones are no reads of a game',
    true,
    [day(['getNfts', 'success', 4], ['getRawMetadata', 'rate_limited', 2])],
    0,
    [true, false, false],
  ],
  [
    'the calls of Try it are those of no game',
    true,
    [day(['getStructuredMetadata', 'success', 2])],
    2,
    [true, true, false],
  ],
  ['Try it ticks before its calls are counted', true, [], 1, [true, true, false]],
  [
    'a read more is that of a game',
    true,
    [day(['getStructuredMetadata', 'success', 1]), day(['getRawMetadata', 'success', 2])],
    2,
    [true, true, true],
  ],
  [
    'a game that reads needs no Try it',
    true,
    [day(['getRawMetadata', 'success', 1])],
    0,
    [true, true, true],
  ],
] as const)('%s', (_, hasNfts, usage, tried, [...done]) => {
  const { hasTried, hasCalled, ...rest } = firstSteps(hasNfts, usage, tried)
  expect([rest.hasNfts, hasTried, hasCalled]).toEqual(done)
})
