import * as v from 'valibot'
import { deliveringWebhook, webhookIdParameter } from '../../lib/contract/documentation/webhooks.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { wholeNumber } from '../../lib/contract/fields/numbers.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { webhookWithSecret } from '../../lib/contract/webhook.ts'
import { maxSecretOverlapSeconds } from '../../lib/domain/webhooks/webhook.ts'

export const row = {
  id: 'rotateWebhookSecret',
  section: 'D123',
  needs: 'webhooks',
  method: 'POST',
  paths: [`${base}/product/webhooks/{webhookId}/rotate`],
  auth: 'PRODUCT',
  pathParameters: ['webhookId'],
  body: v.object({
    overlapSeconds: v.optional(wholeNumber(0, maxSecretOverlapSeconds)),
  }),
  isBodyOptional: true,
  effect: 'once',
  answer: webhookWithSecret,
  problems: ['webhook_not_found', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { GetItem: 2, UpdateItem: 1 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Webhooks',
  summary: 'Rotate webhook secret',
  description:
    'Returns a new secret, once. For `overlapSeconds`, messages are signed with the old secret and the new one, so that a server with either of them verifies them. After a second rotation within that time, the first of the three secrets ends. The body can be empty.',
  pathParameters: webhookIdParameter,
  requests: {
    day: { summary: 'Both secrets sign for a day', value: {} },
    leaked: { summary: 'The old secret ends at once', value: { overlapSeconds: 0 } },
  },
  answers: {
    rotated: {
      summary: 'The webhook with its new secret',
      value: {
        ...deliveringWebhook,
        oldSecretEndsAt: '2026-01-03T09:30:00.000Z',
        secret: example.webhookSecret,
      },
    },
  },
  invalidRequest: {
    summary: 'An overlap of more than 7 days',
    sent: { body: { overlapSeconds: 604_801 } },
    faults: { overlapSeconds: 'must be a whole number from 0 to 604800' },
  },
  schemas: {
    SecretRotation: describedObject(row.body, 'How the secret of a webhook is rotated.', {
      overlapSeconds: 'For how long both secrets sign, in seconds; a day if omitted.',
    }),
  },
})
