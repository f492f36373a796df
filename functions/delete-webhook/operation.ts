import { confirmation } from '../../lib/contract/answers.ts'
import { confirmationSchema } from '../../lib/contract/documentation/confirmation.ts'
import type { OperationDocumentation } from '../../lib/contract/documentation/operation-documentation.ts'
import { webhookIdParameter } from '../../lib/contract/documentation/webhooks.ts'
import type { OperationRequests } from '../../lib/contract/requests.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** D121 */
export const row = {
  id: 'deleteWebhook',
  section: 'D121',
  needs: 'webhooks',
  method: 'DELETE',
  paths: [`${base}/product/webhooks/{webhookId}`],
  auth: 'PRODUCT',
  scope: 'MANAGE',
  pathParameters: ['webhookId'],
  answer: confirmation,
  problems: ['webhook_not_found', 'service_unavailable'],
} as const satisfies Route

/** What a call asks of AWS and of the indexer. */
export const requests: OperationRequests = {
  each: { GetItem: 1, DeleteItem: 1 },
  units: { read: 1, write: 1 },
  recordsChange: true,
}

/** What the OpenAPI document says of the operation. */
export const documentation = (): OperationDocumentation<typeof row> => ({
  tag: 'Webhooks',
  summary: 'Delete webhook',
  description:
    'Deletes a webhook. Attempts that are under way end, and a second later no further one begins.',
  pathParameters: webhookIdParameter,
  answers: {
    deleted: { summary: 'Done', value: { data: { message: 'The webhook is deleted.' } } },
  },
  schemas: { Confirmation: confirmationSchema },
})
