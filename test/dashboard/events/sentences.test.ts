import { describe, expect, test } from 'vitest'
import type { ProductEvent } from '../../../clients/typescript/src/types.ts'
import { actionLabel, knownActions, sentenceOf } from '../../../dashboard/views/events/sentences.ts'
import type { EventAction } from '../../../lib/domain/product/product-event.ts'

const event: ProductEvent = {
  eventId: '019b78df-ede0-7b0d-9e21-6c0a4d5f7e33',
  at: '2026-11-22T09:30:00.000Z',
  keyId: 'u1PzC7dRe0Ls',
  action: 'registerProduct',
  newKeyId: null,
  endedKeyId: null,
  webhookId: null,
  chain: null,
  contractAddress: null,
  count: null,
  ranges: null,
  outcome: 'done',
}

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
    expect(sentenceOf({ ...event, ...fields }, nameOf)).toBe(sentence)
  })

  test('more ranges than the service records are not hidden', () => {
    const ranges = Array.from({ length: 10 }, (_, index) => `${index * 10}..${index * 10 + 5}`)
    const text = sentenceOf({ ...event, action: 'allowlistNfts', count: 10, ranges }, nameOf)
    expect(text).toMatch(/90\.\.95, …$/)
  })

  test('every action of the service has a sentence and a label', () => {
    const all: Record<EventAction, true> = {
      registerProduct: true,
      updateProduct: true,
      deleteProduct: true,
      createKey: true,
      rotateKey: true,
      endKey: true,
      allowlistNfts: true,
      unbindNfts: true,
      unbindContract: true,
      refreshMetadata: true,
      createWebhook: true,
      updateWebhook: true,
      rotateWebhookSecret: true,
      replayWebhook: true,
      deleteWebhook: true,
      pauseWebhook: true,
      stopProduct: true,
      startProduct: true,
    }
    expect(knownActions.toSorted()).toEqual(Object.keys(all).toSorted())
    for (const action of knownActions) expect(actionLabel(action)).not.toBe(action)
    expect(actionLabel('ofALaterVersion')).toBe('ofALaterVersion')
  })
})
