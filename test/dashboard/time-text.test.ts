import { describe, expect, test } from 'vitest'
import { dayText, exactTime, timeAgo, utcDayText } from '../../dashboard/shell/time-text.ts'

describe('times', () => {
  test.each([
    [0, 'just now'],
    [59.9, 'just now'],
    [60, '1 minute ago'],
    [3_599, '59 minutes ago'],
    [3_600, '1 hour ago'],
    [86_399, '23 hours ago'],
    [86_400, '1 day ago'],
    [86_400 * 400, '400 days ago'],
    [-5, 'just now'],
  ])('%d seconds ago is "%s"', (seconds, text) => {
    const now = Date.parse('2026-11-22T09:30:00Z')
    expect(timeAgo(now - seconds * 1000, now)).toBe(text)
  })

  test('a day has one form, and a day in UTC is no other day elsewhere', () => {
    expect(dayText('2026-11-22T12:00:00Z')).toBe('22 Nov 2026')
    expect(utcDayText('2026-11-01')).toBe('1 Nov 2026')
  })

  test('an exact time is in UTC', () => {
    expect(exactTime('2026-11-22T09:30:05.123Z')).toBe('22 Nov 2026, 09:30:05 UTC')
  })
})
