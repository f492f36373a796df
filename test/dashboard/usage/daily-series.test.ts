import { describe, expect, test } from 'vitest'
import {
  callTotals,
  dailyNumbers,
  limitedTotals,
  outcomeClass,
} from '../../../dashboard/views/usage/daily-series.ts'
import { problems } from '../../../lib/domain/problems.ts'

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
    day: '2026-11-21',
    calls: [{ operation: 'getRawMetadata', outcome: 'success', count: 19 }],
    indexerCalls: 0,
    players: 0,
    playersEstimated: false,
    limited: [{ limit: 'nfts', count: 5 }],
  },
]

describe('Usage: numbers by day', () => {
  test('the days are oldest first, with calls by class', () => {
    expect(dailyNumbers(usage)).toEqual([
      expect.objectContaining({ day: '2026-11-21', calls: 19, succeeded: 19, limited: 5 }),
      {
        day: '2026-11-22',
        calls: 2496,
        succeeded: 2481,
        refused: 12,
        failed: 3,
        players: 412,
        playersEstimated: true,
        indexerCalls: 3120,
        limited: 12,
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
