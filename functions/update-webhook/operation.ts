import * as v from 'valibot'
import {
  deliveringWebhook,
  webhookIdParameter,
  webhookInputFields,
  webhookSchemas,
} from '../../lib/contract/documentation/webhooks.ts'
import { type Documentation, describedObject } from '../../lib/contract/documentation.ts'
import {
  webhookDescription,
  webhookEvents,
  webhookUrl,
} from '../../lib/contract/fields/webhooks.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { webhookEntry } from '../../lib/contract/webhook.ts'

export const row = {
  id: 'updateWebhook',
  section: 'D121',
  needs: 'webhooks',
  method: 'PATCH',
  paths: [`${base}/product/webhooks/{webhookId}`],
  auth: 'PRODUCT',
  pathParameters: ['webhookId'],
  body: v.object({
    url: v.optional(webhookUrl),
    events: v.optional(webhookEvents),
    description: v.exactOptional(webhookDescription),
    state: v.optional(v.picklist(['active', 'paused'], 'must be active or paused')),
  }),
  answer: webhookEntry,
  problems: ['webhook_not_found', 'webhook_not_verified', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { GetItem: 2, UpdateItem: 1 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Webhooks',
  summary: 'Update webhook',
  description:
    'Changes the given fields. With another URL, the webhook is unverified again. `"state": "paused"` stops the deliveries; `"active"` goes on where they stopped, at once, also after failures. Events are kept for 7 days, and those of a product whose webhooks are all paused are logged for a day more.',
  pathParameters: webhookIdParameter,
  requests: {
    description: { summary: 'Another description', value: { description: 'Game server 2' } },
    pause: { summary: 'Pause it', value: { state: 'paused' } },
  },
  answers: {
    paused: {
      summary: 'The webhook',
      value: { ...deliveringWebhook, state: 'paused' },
    },
  },
  invalidRequest: {
    summary: 'A state that only the service sets',
    sent: { body: { state: 'failing' } },
    faults: { state: 'must be active or paused' },
  },
  schemas: {
    WebhookChanges: describedObject(row.body, 'Fields of a webhook to change.', {
      ...webhookInputFields,
      events: 'The types of events to send.',
      state: '`active` or `paused`.',
    }),
    ...webhookSchemas,
  },
})
