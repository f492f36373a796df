import { describe, expect, test } from 'vitest'
import type { ProductEvent } from '../../../clients/typescript/src/types.ts'
import {
  type EventFilter,
  isPast,
  matches,
  readFilter,
  writeFilter,
} from '../../../dashboard/views/events/event-filter.ts'

const event: ProductEvent = {
  eventId: '019b78df-ede0-7b0d-9e21-6c0a4d5f7e33',
  at: '2026-11-22T23:59:59.999Z',
  keyId: 'maker',
  action: 'rotateKey',
  newKeyId: 'new',
  endedKeyId: 'ended',
  webhookId: null,
  chain: 'POLYGON',
  contractAddress: '0x22d518c449312143be64cd547c510a1a4ebed207',
  count: null,
  ranges: null,
  outcome: 'done',
}

describe('Events: the filter', () => {
  test.each<[EventFilter, boolean]>([
    [{}, true],
    [{ action: 'rotateKey' }, true],
    [{ action: 'endKey' }, false],
    [{ key: 'maker' }, true],
    [{ key: 'new' }, true],
    [{ key: 'ended' }, true],
    [{ key: 'other' }, false],
    [{ key: 'operator' }, false],
    [{ contract: '0x22D518C4' }, true],
    [{ contract: '0x22d518c5' }, false],
    [{ outcome: 'done' }, true],
    [{ outcome: 'failed' }, false],
    [{ from: '2026-11-22', to: '2026-11-22' }, true],
    [{ from: '2026-11-23' }, false],
    [{ to: '2026-11-21' }, false],
    [{ action: 'rotateKey', outcome: 'failed' }, false],
  ])('%j', (filter, shown) => {
    expect(matches(event, filter)).toBe(shown)
  })

  test('the operator has no key, and a change without a contract matches none', () => {
    const stop = { ...event, keyId: null, newKeyId: null, endedKeyId: null, contractAddress: null }
    expect(matches(stop, { key: 'operator' })).toBe(true)
    expect(matches(stop, { contract: '0x' })).toBe(false)
  })

  test('a webhook that the service has paused is no change of the operator', () => {
    const pause = { ...event, action: 'pauseWebhook', keyId: null, newKeyId: null }
    expect(matches(pause, { key: 'operator' })).toBe(false)
    expect(matches(pause, {})).toBe(true)
  })

  test('events before the first day are past', () => {
    expect(isPast(event, { from: '2026-11-23' })).toBe(true)
    expect(isPast(event, { from: '2026-11-22' })).toBe(false)
    expect(isPast(event, {})).toBe(false)
  })

  test('the query of the page carries the filter', () => {
    const filter = { action: 'endKey', key: 'a b&c', contract: '0x1', from: '2026-11-01' }
    expect(writeFilter(filter)).toBe('action=endKey&key=a+b%26c&contract=0x1&from=2026-11-01')
    expect(readFilter(new URLSearchParams(writeFilter(filter)))).toEqual(filter)
    expect(writeFilter({})).toBe('')
  })

  test('values of another form restrict nothing', () => {
    const query = new URLSearchParams('from=yesterday&to=2026-13-40&action=+&other=1')
    expect(readFilter(query)).toEqual({})
  })
})
