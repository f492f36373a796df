import { confirmation } from '../../lib/contract/answers.ts'
import { confirmationSchema } from '../../lib/contract/documentation/confirmation.ts'
import { webhookIdParameter } from '../../lib/contract/documentation/webhooks.ts'
import type { Documentation } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'deleteWebhook',
  section: 'D121',
  needs: 'webhooks',
  method: 'DELETE',
  paths: [`${base}/product/webhooks/{webhookId}`],
  auth: 'PRODUCT',
  pathParameters: ['webhookId'],
  answer: confirmation,
  problems: ['webhook_not_found', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { GetItem: 1, DeleteItem: 1 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Webhooks',
  summary: 'Delete webhook',
  description:
    'Deletes a webhook. Attempts that are under way end, and a second later no further one begins.',
  pathParameters: webhookIdParameter,
  answers: {
    deleted: { summary: 'Done', value: { message: 'The webhook is deleted.' } },
  },
  schemas: { Confirmation: confirmationSchema },
})
