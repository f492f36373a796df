import { afterEach, expect, test, vi } from 'vitest'
import { verifiedTokens } from '../../../lib/adapters/jose/player-tokens.ts'

afterEach(() => void vi.useRealTimers())

test('D95: a verified token is known until the second of its expiry', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 99_999 })
  const tokens = verifiedTokens<string>(10)
  tokens.add('token', 'says this', 100)
  expect(tokens.get('token')).toBe('says this')
  vi.setSystemTime(100_000)
  expect(tokens.get('token')).toBeUndefined()
  expect(tokens.get('other')).toBeUndefined()
})

test('D95: those that were used least recently are dropped first', () => {
  const tokens = verifiedTokens<number>(2)
  tokens.add('a', 1, Number.POSITIVE_INFINITY)
  tokens.add('b', 2, Number.POSITIVE_INFINITY)
  tokens.get('a')
  tokens.add('c', 3, Number.POSITIVE_INFINITY)
  expect(['a', 'b', 'c'].map((token) => tokens.get(token))).toEqual([1, undefined, 3])
})
