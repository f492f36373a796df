import { describe, expect, expectTypeOf, test } from 'vitest'
import type { ProductEvent } from '../../clients/typescript/src/types.ts'
import type { EventAction } from '../../lib/domain/product/product-event.ts'
import {
  type EventFilter,
  isBeyond,
  isPaused,
  matches,
  readFilter,
  writeFilter,
} from '../views/events/event-filter.ts'
import { actionLabel, type KnownAction, sentenceOf } from '../views/events/sentences.ts'

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

const stop: ProductEvent = {
  ...event,
  ...{ keyId: null, action: 'stopProduct', newKeyId: null, endedKeyId: null },
  ...{ chain: null, contractAddress: null },
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
    expect(matches(stop, { key: 'operator' })).toBe(true)
    expect(matches(stop, { contract: '0x' })).toBe(false)
  })

  test('a webhook that the service has paused is no change of the operator', () => {
    const pause = { ...stop, action: 'pauseWebhook' }
    expect(matches(pause, { key: 'operator' })).toBe(false)
    expect(matches(pause, {})).toBe(true)
  })

  test('no event before the first day is read', () => {
    expect(isBeyond([event], { from: '2026-11-23' })).toBe(true)
    expect(isBeyond([event], { from: '2026-11-22' })).toBe(false)
    expect(isBeyond([event], {})).toBe(false)
  })

  test('the search pauses after five pages in a row that show nothing', () => {
    const pages = Array.from({ length: 5 }, () => [stop])
    expect(isPaused(pages.slice(1), { outcome: 'failed' })).toBe(false)
    expect(isPaused(pages, { outcome: 'failed' })).toBe(true)
    expect(isPaused(pages, { outcome: 'done' })).toBe(false)
    expect(isPaused([...pages, [event]], { action: 'rotateKey' })).toBe(false)
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

const keyNames: Record<string, string> = { one: '“Game servers”', two: '“New”' }
const nameOf = (keyId: string) => keyNames[keyId] ?? keyId

describe('Events: what an event says', () => {
  test.each<[Partial<ProductEvent>, string]>([
    [{ action: 'registerProduct' }, 'Registered the game'],
    [{ action: 'createKey', newKeyId: 'one' }, 'Created the key “Game servers”'],
    [{ action: 'endKey', endedKeyId: 'gone' }, 'Revoked the key gone'],
    [
      { action: 'rotateKey', endedKeyId: 'one', newKeyId: 'two' },
      'Replaced the key “Game servers” with “New”',
    ],
    [{ action: 'endKey', endedKeyId: 'x\u202e' }, 'Revoked the key \u2068x\u202e\u2069'],
    [{ action: 'allowlistNfts', count: 1 }, 'Added 1 NFT'],
    [{ action: 'allowlistNfts', count: 10_000 }, 'Added 10,000 NFTs'],
    [{ action: 'allowlistNfts', count: 1, ranges: ['*'] }, 'Added the whole collection'],
    [{ action: 'allowlistNfts', count: 1, ranges: ['1..5000'] }, 'Added the range 1..5000'],
    [
      { action: 'allowlistNfts', count: 7, ranges: ['1..5', '7..9'] },
      'Added 5 NFTs and the ranges 1..5, 7..9',
    ],
    [{ action: 'unbindNfts', count: 0 }, 'Removed 0 NFTs'],
    [{ action: 'unbindNfts', count: 2, ranges: ['1..5'] }, 'Removed 2 NFTs and the range 1..5'],
    [{ action: 'unbindNfts', count: 0, ranges: ['1..5'] }, 'Removed the range 1..5'],
    [{ action: 'refreshMetadata', count: 300 }, 'Refreshed the metadata of 300 NFTs'],
    [{ action: 'createWebhook', webhookId: 'wh_1' }, 'Created the webhook wh_1'],
    [{ action: 'updateWebhook', webhookId: 'wh_1' }, 'Changed the webhook wh_1'],
    [
      { action: 'rotateWebhookSecret', webhookId: 'wh_1' },
      'Replaced the secret of the webhook wh_1',
    ],
    [{ action: 'replayWebhook', webhookId: 'wh_1' }, 'Let the webhook wh_1 send again'],
    [{ action: 'deleteWebhook', webhookId: 'wh_1' }, 'Deleted the webhook wh_1'],
    [{ action: 'pauseWebhook', webhookId: 'wh_1' }, 'Paused the webhook wh_1 after failures'],
    [{ action: 'ofALaterVersion' }, 'ofALaterVersion'],
    [{ action: 'constructor' }, 'constructor'],
  ])('%j', (fields, sentence) => {
    expect(sentenceOf({ ...stop, ...fields }, nameOf)).toBe(sentence)
  })

  test('more ranges than the service records are not hidden', () => {
    const ranges = Array.from({ length: 10 }, (_, index) => `${index * 10}..${index * 10 + 5}`)
    const text = sentenceOf({ ...stop, action: 'allowlistNfts', count: 10, ranges }, nameOf)
    expect(text).toMatch(/90\.\.95, …$/)
  })

  test('every action of the service has a sentence and a label, and no other one', () => {
    expectTypeOf<KnownAction>().toEqualTypeOf<EventAction>()
    expect(actionLabel('endKey')).toBe('Revoked key')
    expect(actionLabel('ofALaterVersion')).toBe('ofALaterVersion')
  })
})
