import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { webhookHeaders, webhookSecret } from '../../../lib/adapters/hmac/webhook-signer.ts'

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
    expect(new Webhook(secret).verify(message.body, headers)).toEqual(JSON.parse(message.body))
    expect(headers).toMatchObject({ 'webhook-id': 'evt_1' })
  })

  test('is verified with either secret while one replaces the other', () => {
    const next = webhookSecret('the secret of the deployment', { ...id, generation: 2 })
    const headers = webhookHeaders(message, [secret, next])
    for (const each of [secret, next]) new Webhook(each).verify(message.body, headers)
    const other = new Webhook(webhookSecret('another secret', id))
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
    expect(() => new Webhook(secret).verify({ ...message, ...body }.body, headers)).toThrow()
  })

  test('of long ago is refused by the library', () => {
    const headers = webhookHeaders({ ...message, sentAt: message.sentAt - 3_600_000 }, [secret])
    expect(() => new Webhook(secret).verify(message.body, headers)).toThrow('too old')
  })
})
