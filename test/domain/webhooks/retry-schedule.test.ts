import { describe, expect, test } from 'vitest'
import { consequenceOfAttempt, retryAfterOf } from '../../../lib/domain/webhooks/retry-schedule.ts'

const hour = 3_600_000
const now = Date.UTC(2026, 10, 27)
const following = (status: number, failures = 1, retryAfter?: number) =>
  consequenceOfAttempt({ status, retryAfter }, { failures, random: 0.5 })

describe('D120: after an attempt', () => {
  test.each([200, 201, 204, 299])('%i is a success', (status) => {
    expect(following(status, 9)).toEqual({ kind: 'delivered' })
  })

  test.each([0, 199, 300, 301, 308, 400, 404, 429, 500, 503])(
    '%i is a failure, which is tried again',
    (status) => {
      expect(following(status)).toEqual({ kind: 'wait', milliseconds: 5_000 })
    },
  )

  test('and so is no answer; a webhook pauses after 76 hours, and at once if its endpoint is gone', () => {
    const waits = Array.from({ length: 10 }, (_, index) =>
      consequenceOfAttempt(undefined, { failures: index + 1, random: 0.5 }),
    )
    const milliseconds = waits.map((each) => (each.kind === 'wait' ? each.milliseconds : each.kind))
    expect(milliseconds).toEqual([
      ...[5_000, 300_000, hour / 2, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
      'pause',
    ])
    expect(following(410)).toEqual({ kind: 'pause' })
  })

  test('the waits differ by up to a fifth', () => {
    const wait = (random: number) => consequenceOfAttempt(undefined, { failures: 2, random })
    expect([wait(0), wait(1)]).toEqual([
      { kind: 'wait', milliseconds: 240_000 },
      { kind: 'wait', milliseconds: 360_000 },
    ])
  })

  test.each([
    [429, 60_000, 60_000],
    [503, 60_000, 60_000],
    [503, 1_000, 5_000],
    [429, 365 * 24 * hour, 12 * hour],
    [500, 60_000, 5_000],
  ])('%i can ask for a longer wait: %i', (status, retryAfter, milliseconds) => {
    expect(following(status, 1, retryAfter)).toEqual({ kind: 'wait', milliseconds })
  })

  test.each([
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['120', 120_000],
    ['0', 0],
    [new Date(now + 60_000).toUTCString(), 60_000],
    [new Date(now - 60_000).toUTCString(), 0],
  ])('Retry-After: %s', (header, expected) => {
    expect(retryAfterOf(header, now)).toBe(expected)
  })
})
