import * as v from 'valibot'
import { shownText, shownWholeNumber, smallNumber } from '../../lib/contract/answers.ts'
import { webhookIdParameter } from '../../lib/contract/documentation/webhooks.ts'
import { type Documentation, describedObject } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'testWebhook',
  section: 'D121',
  needs: 'webhooks',
  method: 'POST',
  paths: [`${base}/product/webhooks/{webhookId}/test`],
  auth: 'PRODUCT',
  pathParameters: ['webhookId'],
  effect: 'once',
  answer: v.object({
    delivered: v.boolean(),
    status: v.nullable(smallNumber(999)),
    milliseconds: v.nullable(shownWholeNumber),
    failure: v.nullable(shownText),
  }),
  problems: ['webhook_not_found', 'rate_limited', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = { each: { GetItem: 2, SendMessage: 1 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Webhooks',
  summary: 'Test webhook',
  description:
    'Sends the message `webhook.test` to the webhook now, and waits for the answer of its server. Its `data.challenge` is new each time. Only an answer of 2xx with exactly this text as its body delivers the test; it verifies the URL, and an unverified webhook becomes active: it gets what happens from then on. A product has 10 tests an hour by default. After a 503, the test may still be sent, and verify the URL.',
  pathParameters: webhookIdParameter,
  answers: {
    delivered: {
      summary: 'The server has answered the challenge',
      value: { delivered: true, status: 200, milliseconds: 84, failure: null },
    },
    refused: {
      summary: 'It has answered something else',
      value: {
        delivered: false,
        status: 200,
        milliseconds: 61,
        failure: 'challenge_not_answered',
      },
    },
  },
  schemas: {
    WebhookTest: describedObject(row.answer, 'The result of a test.', {
      delivered: 'Whether the server has answered the challenge.',
      status: 'The HTTP status of its answer. null: there was no answer.',
      milliseconds: 'How long the attempt took. null: there was none.',
      failure:
        'Why it was not delivered: the `code` of a failure, or `challenge_not_answered`. null: it was.',
    }),
  },
})
