import { describe, expect, test } from 'vitest'
import { replayFault, replaySince } from '../../../dashboard/views/webhooks/replay-dialog.tsx'

const now = Date.parse('2026-11-22T09:30:00Z')
const local = (time: number) => {
  const date = new Date(time)
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

describe('Webhooks: since when events are sent again', () => {
  test.each([
    ['3600', '2026-11-22T08:30:00.000Z'],
    ['86400', '2026-11-21T09:30:00.000Z'],
  ])('%s seconds', (choice, since) => {
    expect(replaySince({ choice, time: '' }, now)).toBe(since)
  })

  test('seven days are a little less, because the service refuses more', () => {
    expect(replaySince({ choice: '604800', time: '' }, now)).toBe('2026-11-15T09:35:00.000Z')
  })

  test('a time is in the time zone of the user', () => {
    const time = local(now - 60_000)
    expect(replaySince({ choice: 'time', time }, now)).toBe('2026-11-22T09:29:00.000Z')
  })

  test.each([
    ['', 'Choose a time.'],
    [local(now + 60_000), 'The time must be in the last 7 days.'],
    [local(now - 8 * 86_400_000), 'The time must be in the last 7 days.'],
    [local(now - 6 * 86_400_000), undefined],
  ])('%s', (time, fault) => {
    expect(replayFault({ choice: 'time', time }, now)).toBe(fault)
    expect(replayFault({ choice: '3600', time }, now)).toBeUndefined()
  })
})
