import type * as v from 'valibot'
import { expect } from 'vitest'
import type { webhookEntry } from '../../../lib/contract/webhook.ts'
import type { Call, Received } from './client.ts'

/** A webhook in a response. */
export type WebhookEntry = v.InferOutput<typeof webhookEntry>

/** A URL at which there is nothing. */
export const nowhere = 'https://games.brindlewake.example/nft-events'

/** Sends the requests of the operations on webhooks, with one API key. */
export const webhooksOf = (call: Call, apiKey: string) => {
  const one =
    (method: string, end = '') =>
    (webhookId: string, body?: Record<string, unknown>) =>
      call(`${method} /product/webhooks/{webhookId}${end}`, {
        ...{ apiKey, path: { webhookId } },
        ...(body && { body }),
      })
  return {
    create: (body: Record<string, unknown> = {}) =>
      call('POST /product/webhooks', { apiKey, body: { url: nowhere, ...body } }),
    update: one('PATCH'),
    rotate: one('POST', '/rotate'),
    test: one('POST', '/test'),
    replay: one('POST', '/replay'),
    delete: one('DELETE'),
    async list(): Promise<WebhookEntry[]> {
      const { status, json, text } = await call('GET /product/webhooks', { apiKey })
      expect(status, text).toBe(200)
      return json.data.webhooks
    },
  }
}

/** The webhook in a successful response. */
export function webhookIn({ status, json, text }: Received): WebhookEntry & { secret: string } {
  expect(status, text).toBe(200)
  return json.data
}
