import { describe, expect, test } from 'vitest'
import type { AcceptedAge } from '../../lib/domain/reading/freshness.ts'
import { acceptedAgeOf } from '../../lib/http/caller.ts'

describe('D156: the request header Cache-Control', () => {
  test.each<[string | undefined, AcceptedAge]>([
    [undefined, {}],
    ['', {}],
    ['no-cache', { refusesKept: true }],
    ['No-Cache', { refusesKept: true }],
    ['max-age=60', { maxAgeSeconds: 60 }],
    ['max-age="60"', { maxAgeSeconds: 60 }],
    ['MAX-AGE=0', { maxAgeSeconds: 0 }],
    ['max-age=99999999999999999999', { maxAgeSeconds: 2 ** 31 }],
    ['max-age=60, max-age=30', { maxAgeSeconds: 30 }],
    ['stale-if-error=600', { staleIfErrorSeconds: 600 }],
    [
      ' no-cache ,\tmax-age=5 ,, stale-if-error=7',
      { refusesKept: true, maxAgeSeconds: 5, staleIfErrorSeconds: 7 },
    ],
    ['no-store, only-if-cached, max-stale=5, min-fresh=5, x="no-cache, max-age=1"', {}],
    ['max-age, max-age=, max-age=-1, max-age=1.5, max-age=soon, max-age=0x5, max-age = 5', {}],
    ['no-cache=5, stale-if-error, stale-if-error=""', {}],
    ['max-age="60', {}],
  ])('%j', (header, accepted) => {
    expect(acceptedAgeOf(header)).toEqual(accepted)
  })
})
