import { describe, expect, test } from 'vitest'
import type { ProductEvent } from '../../../clients/typescript/src/types.ts'
import {
  type EventPages,
  isComplete,
  isPaused,
  noPages,
  withPage,
} from '../../../dashboard/views/events/event-filter.ts'

const eventOn = (day: string): ProductEvent => ({
  eventId: day,
  at: `${day}T12:00:00.000Z`,
  keyId: null,
  action: 'stopProduct',
  newKeyId: null,
  endedKeyId: null,
  webhookId: null,
  chain: null,
  contractAddress: null,
  count: null,
  ranges: null,
  outcome: 'done',
})

const page = (day: string, nextCursor?: string) => ({
  data: [eventOn(day)],
  ...(nextCursor !== undefined && { nextCursor }),
})

describe('Events: pages', () => {
  test('follow one another until a page has no cursor', () => {
    const first = withPage(noPages, page('2026-11-22', 'a'), {})
    expect([first.cursor, isComplete(first, {})]).toEqual(['a', false])
    const second = withPage(first, page('2026-11-21'), {})
    expect([second.cursor, isComplete(second, {})]).toEqual([undefined, true])
    expect(second.events.map(({ eventId }) => eventId)).toEqual(['2026-11-22', '2026-11-21'])
  })

  test('end when they are older than the first day of the filter', () => {
    const pages = withPage(noPages, page('2026-11-20', 'a'), {})
    expect(isComplete(pages, { from: '2026-11-20' })).toBe(false)
    expect(isComplete(pages, { from: '2026-11-21' })).toBe(true)
  })

  test('pause after five pages in a row that show nothing', () => {
    const filter = { outcome: 'failed' }
    let pages: EventPages = noPages
    for (let read = 1; read <= 5; read += 1) {
      expect(isPaused(pages)).toBe(false)
      pages = withPage(pages, page('2026-11-22', `page ${read}`), filter)
    }
    expect(isPaused(pages)).toBe(true)
    expect(isPaused(withPage(pages, page('2026-11-21', 'b'), {}))).toBe(false)
  })
})
