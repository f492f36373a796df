import { describe, expect, test } from 'vitest'
import {
  dayText,
  durationText,
  exactTime,
  timeAgo,
  timeUntil,
  utcDayText,
} from '../../dashboard/shell/time-text.ts'

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

  test.each([
    [45, 'in 45 seconds'],
    [0.1, 'in 1 second'],
    [119, 'in 1 minute'],
    [3_600, 'in 1 hour'],
    [86_400 * 3, 'in 3 days'],
    [0, 'now'],
    [-60, 'now'],
  ])('%d seconds ahead is "%s"', (seconds, text) => {
    const now = Date.parse('2026-11-22T09:30:00Z')
    expect(timeUntil(now + seconds * 1000, now)).toBe(text)
  })

  test.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [7_300, '2 hours'],
    [90_000, '1 day'],
  ])('%d seconds are "%s"', (seconds, text) => {
    expect(durationText(seconds)).toBe(text)
  })

  test('a day has one form, and a day in UTC is no other day elsewhere', () => {
    expect(dayText('2026-11-22T12:00:00Z')).toBe('22 Nov 2026')
    expect(utcDayText('2026-11-01')).toBe('1 Nov 2026')
  })

  test('an exact time is in UTC', () => {
    expect(exactTime('2026-11-22T09:30:05.123Z')).toBe('22 Nov 2026, 09:30:05 UTC')
  })
})
