import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import { deliveringWebhook, webhookSchemas } from '../../lib/contract/documentation/webhooks.ts'
import { type Documentation, describedObject } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { webhookEntry } from '../../lib/contract/webhook.ts'

export const row = {
  id: 'listWebhooks',
  section: 'D121',
  needs: 'webhooks',
  method: 'GET',
  paths: [`${base}/product/webhooks`],
  auth: 'PRODUCT',
  answer: v.object({
    webhooks: v.array(webhookEntry),
    notFollowed: v.array(shownText),
    contractsOverLimit: v.boolean(),
  }),
} as const satisfies Route

export const requests: OperationRequests = { each: { Query: 2 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Webhooks',
  summary: 'List webhooks',
  description:
    'Lists the webhooks of the product, by their creation, and says which of its contracts have no events.',
  answers: {
    one: {
      summary: 'A webhook that delivers',
      value: {
        webhooks: [deliveringWebhook],
        notFollowed: ['BSC'],
        contractsOverLimit: false,
      },
    },
  },
  schemas: {
    Webhooks: describedObject(row.answer, 'The webhooks of a product.', {
      webhooks: 'The webhooks.',
      notFollowed:
        'The chains on which this service does not follow contracts of the product: it follows nothing there, or its source refuses the events of a contract for now. Their events are missing.',
      contractsOverLimit:
        'Whether the product has more contracts than events are logged for: the last ones, in the order of the list of contracts, have no events.',
    }),
    ...webhookSchemas,
  },
})
