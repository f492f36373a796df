import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { hmacWebhookSigner } from '../../../lib/adapters/hmac/webhook-signer.ts'
import type { Webhook, WebhookId } from '../../../lib/domain/webhooks/webhook.ts'

const webhookId = 'hook' as WebhookId

const now = Date.now()

const message = { id: 'evt_1', sentAt: now, body: '{"type":"webhook.test","text":"ö"}' }

const webhook = (members: Pick<Webhook, 'secret' | 'oldSecret'>): Webhook => ({
  ...{ webhookId, url: 'https://games.example.com/', events: [], description: '' },
  ...{ createdAt: now, isVerified: true, wakes: 0, fence: 0, failures: 0, minutes: {} },
  position: { since: now, chains: new Map() },
  ...members,
})

const signer = hmacWebhookSigner(['new', 'old'])

const secretOf = (reference: Webhook['secret'], id: string = webhookId) =>
  signer.secret(id as WebhookId, reference) ?? ''

const [first, second] = [signer.reference(1), signer.reference(2)]
const ofOld = hmacWebhookSigner(['old']).reference(1)

describe('D120: a message', () => {
  const headersOf = (changes: object = {}) =>
    signer.sign(webhook({ secret: first }), { ...message, ...changes }) ?? {}

  test('is verified by the library of Standard Webhooks', () => {
    const verified = new Verifier(secretOf(first)).verify(message.body, headersOf())
    expect(verified).toEqual(JSON.parse(message.body))
    expect(headersOf()).toMatchObject({ 'webhook-id': 'evt_1' })
  })

  test.each([
    ['another id', { id: 'evt_2' }, message.body],
    ['another body', {}, '{}'],
    ['another time', { sentAt: now - 10_000 }, message.body],
  ])('is not verified with %s', (_, changes, body) => {
    const signature = headersOf()['webhook-signature'] ?? ''
    const headers = { ...headersOf(changes), 'webhook-signature': signature }
    expect(() => new Verifier(secretOf(first)).verify(body, headers)).toThrow()
  })
})

describe('D120, D123: the secrets of a webhook', () => {
  test('are those of its generations in its deployment, always the same', () => {
    expect(secretOf(first)).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/)
    expect(secretOf(signer.reference(1))).toBe(secretOf(first))
    const others = [secretOf(ofOld), secretOf(second), secretOf(first, 'other')]
    expect(new Set([secretOf(first), ...others, secretOf(first, 'hook",1')]).size).toBe(5)
  })

  test('follow from the first secret of the deployment, and those of before from theirs', () => {
    expect(second).toEqual(hmacWebhookSigner(['new']).reference(2))
    expect(JSON.stringify(second)).not.toContain('new')
    expect(secretOf(ofOld)).toBe(hmacWebhookSigner(['old']).secret(webhookId, ofOld))
    expect(hmacWebhookSigner(['new']).secret(webhookId, ofOld)).toBeUndefined()
  })

  test('sign together until the old one ends', () => {
    const both = webhook({ secret: second, oldSecret: { ...ofOld, endsAt: now + 1 } })
    const headers = signer.sign(both, message) ?? {}
    for (const each of [second, ofOld]) new Verifier(secretOf(each)).verify(message.body, headers)
    expect(() => new Verifier(secretOf(first)).verify(message.body, headers)).toThrow(
      'No matching signature',
    )
    const ended = signer.sign(both, { ...message, sentAt: now + 1 })
    expect(ended?.['webhook-signature']?.split(' ')).toHaveLength(1)
  })

  test('sign nothing once the deployment has none of them any more', () => {
    const later = hmacWebhookSigner(['new'])
    expect(later.sign(webhook({ secret: ofOld }), message)).toBeUndefined()
    const both = webhook({ secret: second, oldSecret: { ...ofOld, endsAt: now + 1 } })
    expect(later.sign(both, message)?.['webhook-signature']?.split(' ')).toHaveLength(1)
  })
})
