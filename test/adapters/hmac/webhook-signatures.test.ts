import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import {
  hmacWebhookSigner,
  webhookHeaders,
  webhookSecret,
} from '../../../lib/adapters/hmac/webhook-signer.ts'
import { newWebhookId } from '../../../lib/adapters/random/webhook-ids.ts'
import type { Webhook } from '../../../lib/domain/webhooks/webhook.ts'

const id = { webhookId: 'hook', generation: 1 }

const secret = webhookSecret('the secret of the deployment', id)

const message = { id: 'evt_1', sentAt: Date.now(), body: '{"type":"webhook.test","text":"ö"}' }

describe('D120: the secret of a webhook', () => {
  test('is that of its generation in its deployment, always the same', () => {
    expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/)
    expect(webhookSecret('the secret of the deployment', { ...id })).toBe(secret)
    const others = [
      webhookSecret('another secret', id),
      webhookSecret('the secret of the deployment', { ...id, generation: 2 }),
      webhookSecret('the secret of the deployment', { ...id, webhookId: 'other' }),
      webhookSecret('the secret of the deployment', { webhookId: 'hook",1', generation: 1 }),
    ]
    expect(new Set([secret, ...others]).size).toBe(5)
  })
})

describe('D120: a message', () => {
  test('is verified by the library of Standard Webhooks', () => {
    const headers = webhookHeaders(message, [secret])
    expect(new Verifier(secret).verify(message.body, headers)).toEqual(JSON.parse(message.body))
    expect(headers).toMatchObject({ 'webhook-id': 'evt_1' })
  })

  test('is verified with either secret while one replaces the other', () => {
    const next = webhookSecret('the secret of the deployment', { ...id, generation: 2 })
    const headers = webhookHeaders(message, [secret, next])
    for (const each of [secret, next]) new Verifier(each).verify(message.body, headers)
    const other = new Verifier(webhookSecret('another secret', id))
    expect(() => other.verify(message.body, headers)).toThrow('No matching signature')
  })

  test.each([
    ['another id', { id: 'evt_2' }, {}],
    ['another body', {}, { body: '{}' }],
    ['another time', { sentAt: message.sentAt - 10_000 }, {}],
  ])('is not verified with %s', (_, header, body) => {
    const signed = webhookHeaders(message, [secret])
    const changed = webhookHeaders({ ...message, ...header }, [secret])
    const headers = { ...changed, 'webhook-signature': signed['webhook-signature'] ?? '' }
    expect(() => new Verifier(secret).verify({ ...message, ...body }.body, headers)).toThrow()
  })

  test('of long ago is refused by the library', () => {
    const headers = webhookHeaders({ ...message, sentAt: message.sentAt - 3_600_000 }, [secret])
    expect(() => new Verifier(secret).verify(message.body, headers)).toThrow('too old')
  })
})

const webhookId = newWebhookId()

const now = Date.now()

const signed = { id: 'evt_1', sentAt: now, body: '{"type":"webhook.test"}' }

const webhook = (members: Pick<Webhook, 'secret' | 'oldSecret'>): Webhook => ({
  ...{ webhookId, url: 'https://games.example.com/', events: [], description: '' },
  ...{ createdAt: now, isVerified: true, wakes: 0, fence: 0, failures: 0, minutes: {} },
  position: { since: now, chains: new Map() },
  ...members,
})

describe('D123: the secrets of a webhook', () => {
  const signer = hmacWebhookSigner(['new', 'old'])
  const ofOld = hmacWebhookSigner(['old']).reference(1)
  const secretOf = (reference: Webhook['secret']) => signer.secret(webhookId, reference) ?? ''

  test('follow from the first secret of the deployment, and those of before from theirs', () => {
    const reference = signer.reference(2)
    expect(reference).toEqual(hmacWebhookSigner(['new']).reference(2))
    expect(JSON.stringify(reference)).not.toContain('new')
    expect(secretOf(ofOld)).toBe(hmacWebhookSigner(['old']).secret(webhookId, ofOld))
    expect(hmacWebhookSigner(['new']).secret(webhookId, ofOld)).toBeUndefined()
  })

  test('sign together until the old one ends', () => {
    const [secret, oldSecret] = [signer.reference(2), { ...ofOld, endsAt: now + 1 }]
    const headers = signer.sign(webhook({ secret, oldSecret }), signed) ?? {}
    for (const each of [secretOf(secret), secretOf(ofOld)]) {
      new Verifier(each).verify(signed.body, headers)
    }
    const ended = signer.sign(webhook({ secret, oldSecret }), { ...message, sentAt: now + 1 })
    expect(ended?.['webhook-signature']?.split(' ')).toHaveLength(1)
  })

  test('sign nothing once the deployment has none of them any more', () => {
    const later = hmacWebhookSigner(['new'])
    expect(later.sign(webhook({ secret: ofOld }), signed)).toBeUndefined()
    const both = webhook({ secret: later.reference(2), oldSecret: { ...ofOld, endsAt: now + 1 } })
    expect(later.sign(both, signed)?.['webhook-signature']?.split(' ')).toHaveLength(1)
  })
})
