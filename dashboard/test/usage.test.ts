import { describe, expect, test } from 'vitest'
import { problems } from '../../lib/domain/problems.ts'
import { limitAmount } from '../shell/limit-words.ts'
import { scaleTo } from '../views/usage/chart-days.ts'
import {
  callTotals,
  dailyNumbers,
  limitedTotals,
  outcomeClass,
} from '../views/usage/daily-series.ts'
import { limitRows } from '../views/usage/usage-tables.tsx'

const quietDay = {
  day: '2026-11-21',
  calls: [],
  indexerCalls: 0,
  players: 0,
  playersEstimated: false,
  limited: [],
}

const usage = [
  {
    day: '2026-11-22',
    calls: [
      { operation: 'getRawMetadata', outcome: 'rate_limited', count: 12 },
      { operation: 'getRawMetadata', outcome: 'success', count: 2481 },
      { operation: 'getProduct', outcome: 'indexer_unavailable', count: 3 },
    ],
    indexerCalls: 3120,
    players: 412,
    playersEstimated: true,
    limited: [
      { limit: 'indexer_calls_by_minute', count: 10 },
      { limit: 'nfts', count: 2 },
    ],
  },
  {
    ...quietDay,
    calls: [{ operation: 'getRawMetadata', outcome: 'success', count: 19 }],
    limited: [{ limit: 'nfts', count: 5 }],
  },
]

describe('Usage: numbers by day', () => {
  test('the days are oldest first, with calls by class', () => {
    expect(dailyNumbers(usage)).toEqual([
      expect.objectContaining({ day: '2026-11-21', calls: 19, succeeded: 19 }),
      {
        day: '2026-11-22',
        calls: 2496,
        succeeded: 2481,
        refused: 12,
        failed: 3,
        players: 412,
        playersEstimated: true,
        indexerCalls: 3120,
      },
    ])
  })

  test('the totals are by operation and outcome, most first', () => {
    const totals = callTotals(usage).map(({ operation, outcome, count }) => [
      operation,
      outcome,
      count,
    ])
    expect(totals).toEqual([
      ['getRawMetadata', 'success', 2500],
      ['getRawMetadata', 'rate_limited', 12],
      ['getProduct', 'indexer_unavailable', 3],
    ])
  })

  test('the refusals of each limit are added', () => {
    expect([...limitedTotals(usage)]).toEqual([
      ['indexer_calls_by_minute', 10],
      ['nfts', 7],
    ])
  })

  test.each(Object.entries(problems))('%s is failed from status 500 on', (code, { status }) => {
    expect(outcomeClass(code)).toBe(status >= 500 ? 'failed' : 'refused')
  })
})

test('Usage: the limits have their refused calls, also of limits that are not set any more or not known', () => {
  const limits = [{ name: 'nfts', count: 3 }]
  const rows = limitRows(limits, [
    {
      ...quietDay,
      limited: [
        { limit: 'later', count: 7 },
        { limit: 'nfts', count: 2 },
      ],
    },
  ])
  expect(rows).toEqual([
    { name: 'nfts', meaning: 'NFTs on all allowlists', count: '3 in all', refused: 2 },
    { name: 'later', meaning: 'later', count: 'not set any more', refused: 7 },
  ])
})

test.each([
  [{ name: 'indexer_calls_by_day', count: 520, perSeconds: 86_400 }, '520 a day'],
  [{ name: 'client_reads', count: 30, perSeconds: 60 }, '30 a minute'],
  [{ name: 'player_tokens', count: 60, perSeconds: 3_600 }, '60 an hour'],
  [{ name: 'nfts', count: 1_000_000 }, '1,000,000 in all'],
  [{ name: 'later', count: 5, perSeconds: 90 }, '5 in 90 seconds'],
])('%j is %s', (limit, text) => {
  expect(limitAmount(limit)).toBe(text)
})

const dayOf = (value: number) => ({ parts: [{ name: 'succeeded', value }] })

describe('Usage: the scale of a chart', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [17, [0, 5, 10, 15, 20]],
    [100, [0, 50, 100]],
    [101, [0, 50, 100, 150]],
    [520, [0, 200, 400, 600]],
    [9_999_999, [0, 5_000_000, 10_000_000]],
  ])('up to %d is %j', (highest, ticks) => {
    expect(scaleTo([dayOf(highest)])).toEqual(ticks)
  })

  test('every number up to 3,000 has a scale of two to six whole numbers that reaches it', () => {
    for (let highest = 0; highest <= 3_000; highest += 1) {
      const ticks = scaleTo([dayOf(highest)])
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest)
      expect(ticks.every(Number.isInteger)).toBe(true)
    }
  })

  test('reaches the sum of the parts of a day, and a line above all days', () => {
    const day = { parts: [...dayOf(300).parts, ...dayOf(220).parts] }
    expect(scaleTo([dayOf(3), day]).at(-1)).toBe(600)
    expect(scaleTo([dayOf(3)], [{ name: 'a day', value: 520 }]).at(-1)).toBe(600)
  })
})
