import * as v from 'valibot'
import {
  exampleWebhook,
  webhookFields,
  webhookInputFields,
} from '../../lib/contract/documentation/webhooks.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import {
  webhookDescription,
  webhookEvents,
  webhookUrl,
} from '../../lib/contract/fields/webhooks.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { webhookWithSecret } from '../../lib/contract/webhook.ts'

export const row = {
  id: 'createWebhook',
  section: 'D121',
  needs: 'webhooks',
  method: 'POST',
  paths: [`${base}/product/webhooks`],
  auth: 'PRODUCT',
  body: v.object({
    url: webhookUrl,
    events: v.optional(webhookEvents),
    description: v.optional(webhookDescription),
  }),
  effect: 'once',
  answer: webhookWithSecret,
  problems: ['too_many_webhooks', 'too_many_webhook_contracts', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { PutItem: 1, Query: 3 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Webhooks',
  summary: 'Create webhook',
  description:
    'Registers a URL to which the events of the product are to be sent, and returns the secret with which its server verifies the messages, once. A product can have 5 webhooks. Nothing is sent yet: the server must answer a test first.',
  requests: {
    all: {
      summary: 'All events',
      value: { url: exampleWebhook.url, description: exampleWebhook.description },
    },
    transfers: {
      summary: 'Transfers, and what could not be watched',
      value: { url: exampleWebhook.url, events: ['nft.transferred', 'events.missed'] },
    },
  },
  answers: {
    created: {
      summary: 'The webhook',
      value: {
        ...exampleWebhook,
        secret: example.webhookSecret,
      },
    },
  },
  invalidRequest: {
    summary: 'An unknown type of events',
    sent: { body: { url: exampleWebhook.url, events: ['nft.sold'] } },
    faults: { 'events.0': 'must be one of nft.transferred, nft.metadata_changed, events.missed' },
  },
  schemas: {
    WebhookCreation: describedObject(row.body, 'A webhook to create.', webhookInputFields),
    WebhookWithSecret: describedObject(webhookWithSecret, 'A webhook with its secret.', {
      ...webhookFields,
      secret:
        'The secret of Standard Webhooks with which the server verifies messages. It is shown only here: keep it.',
    }),
  },
})
