import { expect, test } from 'vitest'
import {
  type AcceptedAge,
  acceptedSeconds,
  acceptedStaleSeconds,
  acceptsKept,
} from '../../../lib/domain/reading/freshness.ts'

test.each<[AcceptedAge, boolean, number, number]>([
  [{}, true, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  [{ maxAgeSeconds: 10 }, true, 10, Number.NEGATIVE_INFINITY],
  [{ refusesKept: true }, false, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  [
    { refusesKept: true, maxAgeSeconds: 10 },
    false,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ],
  [{ refusesKept: true, staleIfErrorSeconds: 0 }, true, Number.NEGATIVE_INFINITY, 0],
  [{ staleIfErrorSeconds: 600 }, true, Number.POSITIVE_INFINITY, 600],
  [{ staleIfErrorSeconds: 86_401 }, true, Number.POSITIVE_INFINITY, 86_400],
])('D156: of a caller who says %j', (accepted, isKeptAccepted, seconds, staleSeconds) => {
  expect(acceptsKept(accepted)).toBe(isKeptAccepted)
  expect(acceptedSeconds(accepted)).toBe(seconds)
  expect(acceptedStaleSeconds(accepted)).toBe(staleSeconds)
})
