import { describe, expect, test } from 'vitest'
import { limitRows, limitText } from '../../../dashboard/views/usage/limit-text.ts'

const usage = (limited: { limit: string; count: number }[]) => [
  {
    day: '2026-11-22',
    calls: [],
    indexerCalls: 0,
    players: 0,
    playersEstimated: false,
    limited,
  },
]

describe('Usage: limits', () => {
  test.each([
    [{ name: 'indexer_calls_by_day', count: 520, perSeconds: 86_400 }, '520 a day'],
    [{ name: 'client_reads', count: 30, perSeconds: 60 }, '30 a minute'],
    [{ name: 'player_tokens', count: 60, perSeconds: 3_600 }, '60 an hour'],
    [{ name: 'nfts', count: 1_000_000 }, '1,000,000 in all'],
    [{ name: 'later', count: 5, perSeconds: 90 }, '5 in 90 seconds'],
  ])('%j is %s', (limit, text) => {
    expect(limitText(limit)).toBe(text)
  })

  test('the rows have the refused calls, also of limits that are not set any more or not known', () => {
    const limits = [{ name: 'nfts', count: 3 }]
    const rows = limitRows(
      limits,
      usage([
        { limit: 'later', count: 7 },
        { limit: 'nfts', count: 2 },
      ]),
    )
    expect(rows).toEqual([
      { name: 'nfts', meaning: 'NFTs on all allowlists', count: '3 in all', refused: 2 },
      { name: 'later', meaning: 'later', count: '', refused: 7 },
    ])
  })
})
