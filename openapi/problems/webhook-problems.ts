import type { ProblemEntry } from './problem-entry.ts'

/** The problems of webhooks (D121). */
export const webhookProblems = {
  webhook_not_found: {
    status: 404,
    title: 'The webhook does not exist',
    description: 'The product has no webhook with this `webhookId`.',
    detail: 'This product has no webhook with this identity; GET /product/webhooks lists them.',
    dashboard: [
      'This webhook does not exist any more.',
      'Somebody may have deleted it. Load the page again.',
    ],
  },
  too_many_webhook_contracts: {
    status: 409,
    title: 'The events of too many contracts are wanted',
    description:
      'The product has more contracts on followed chains than `webhookContracts` of the deployment permits, or the events of 1,000 contracts are logged in the deployment already. Nothing was changed.',
    detail: 'Events are for 20 contracts; this product has 21.',
    dashboard: [
      'Your game has too many contracts for events.',
      'Ask the operator of the service for more.',
    ],
  },
  too_many_webhooks: {
    status: 409,
    title: 'The product has too many webhooks',
    description: 'The product has 5 webhooks. Delete one first.',
    detail: 'A product can have 5 webhooks; delete one first.',
    dashboard: [
      'Your game has the maximum number of webhooks.',
      'Delete a webhook that nobody needs, and try again.',
    ],
  },
  webhook_not_verified: {
    status: 409,
    title: 'The URL of the webhook is not verified',
    description:
      'The server at the URL of the webhook has not answered a test, so the webhook has no events. Test it first.',
    detail: 'The server at the URL of this webhook must answer a test first: POST …/test.',
    dashboard: [
      'The server of this webhook has not answered a test yet.',
      'Test the webhook first.',
    ],
  },
} as const satisfies Readonly<Record<string, ProblemEntry>>
