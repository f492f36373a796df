import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { hmacWebhookSigner } from '../../../lib/adapters/hmac/webhook-signer.ts'
import { newWebhookId } from '../../../lib/adapters/random/webhook-ids.ts'
import type { Webhook } from '../../../lib/domain/webhooks/webhook.ts'

const webhookId = newWebhookId()
const now = Date.now()
const message = { id: 'evt_1', sentAt: now, body: '{"type":"webhook.test"}' }

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
    const headers = signer.sign(webhook({ secret, oldSecret }), message) ?? {}
    for (const each of [secretOf(secret), secretOf(ofOld)]) {
      new Verifier(each).verify(message.body, headers)
    }
    const ended = signer.sign(webhook({ secret, oldSecret }), { ...message, sentAt: now + 1 })
    expect(ended?.['webhook-signature']?.split(' ')).toHaveLength(1)
  })

  test('sign nothing once the deployment has none of them any more', () => {
    const later = hmacWebhookSigner(['new'])
    expect(later.sign(webhook({ secret: ofOld }), message)).toBeUndefined()
    const both = webhook({ secret: later.reference(2), oldSecret: { ...ofOld, endsAt: now + 1 } })
    expect(later.sign(both, message)?.['webhook-signature']?.split(' ')).toHaveLength(1)
  })
})
