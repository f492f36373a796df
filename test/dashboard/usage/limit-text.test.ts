import { describe, expect, test } from 'vitest'
import { limitRows } from '../../../dashboard/views/usage/usage-tables.tsx'

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
