import { expect, test } from 'vitest'
import { limitAmount } from '../../dashboard/shell/limit-words.ts'

test.each([
  [{ name: 'indexer_calls_by_day', count: 520, perSeconds: 86_400 }, '520 a day'],
  [{ name: 'client_reads', count: 30, perSeconds: 60 }, '30 a minute'],
  [{ name: 'player_tokens', count: 60, perSeconds: 3_600 }, '60 an hour'],
  [{ name: 'nfts', count: 1_000_000 }, '1,000,000 in all'],
  [{ name: 'later', count: 5, perSeconds: 90 }, '5 in 90 seconds'],
])('%j is %s', (limit, text) => {
  expect(limitAmount(limit)).toBe(text)
})
