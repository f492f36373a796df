import * as v from 'valibot'
import {
  deliveringWebhook,
  webhookIdParameter,
  webhookSchemas,
} from '../../lib/contract/documentation/webhooks.ts'
import { type Documentation, describedObject } from '../../lib/contract/documentation.ts'
import { anyTime } from '../../lib/contract/fields/numbers.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { webhookEntry } from '../../lib/contract/webhook.ts'

export const row = {
  id: 'replayWebhook',
  section: 'D121',
  needs: 'webhooks',
  method: 'POST',
  paths: [`${base}/product/webhooks/{webhookId}/replay`],
  auth: 'PRODUCT',
  pathParameters: ['webhookId'],
  body: v.object({ since: v.optional(anyTime) }),
  isBodyOptional: true,
  effect: 'once',
  answer: webhookEntry,
  problems: ['webhook_not_found', 'rate_limited', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { GetItem: 2, UpdateItem: 1, SendMessage: 1 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Webhooks',
  summary: 'Replay webhook',
  description:
    'Sends what has happened since a time of the last 7 days again, in its order and with the same ids, and goes on with what is new. A paused webhook goes on too, and an unverified one begins there once its server has answered a test. The body can be empty.',
  pathParameters: webhookIdParameter,
  requests: {
    all: { summary: 'Everything of the last 7 days', value: {} },
    since: { summary: 'Since a time', value: { since: '2026-01-01T09:00:00Z' } },
  },
  answers: {
    replaying: {
      summary: 'The webhook',
      value: {
        ...deliveringWebhook,
        pendingSince: '2026-01-01T09:00:00.000Z',
        behindSeconds: 91_800,
      },
    },
  },
  invalidRequest: {
    summary: 'Not a time',
    sent: { body: { since: 'yesterday' } },
    faults: { since: 'must be a time such as "2027-01-31T12:00:00Z"' },
  },
  schemas: {
    WebhookReplay: describedObject(row.body, 'Where a webhook goes back to.', {
      since: 'A time of the last 7 days (RFC 3339); 7 days ago if omitted.',
    }),
    ...webhookSchemas,
  },
})
