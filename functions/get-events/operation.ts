import * as v from 'valibot'
import { address, shownText, shownWholeNumber, tokenElement } from '../../lib/contract/answers.ts'
import {
  type Documentation,
  describedObject,
  example,
  lastingCursor,
  refusedNumber,
} from '../../lib/contract/documentation.ts'
import { eventCursor } from '../../lib/contract/fields/cursors.ts'
import { count } from '../../lib/contract/fields/numbers.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { maxEventsPerPage } from '../../lib/domain/product/product-event.ts'

export const row = {
  id: 'getEvents',
  section: 'D49',
  method: 'GET',
  paths: [`${base}/product/events`],
  auth: 'PRODUCT',
  query: v.object({
    limit: v.optional(count(1, maxEventsPerPage)),
    cursor: v.optional(eventCursor),
  }),
  /**
   * The changes of a product (D49). Each entry has every field. A field is null if the operator made the change, or if
   * the change is not about a contract or a number of NFTs.
   */
  answer: v.array(
    v.object({
      eventId: shownText,
      at: v.pipe(shownText, v.isoTimestamp()),
      keyId: v.nullable(shownText),
      action: shownText,
      newKeyId: v.nullable(shownText),
      endedKeyId: v.nullable(shownText),
      webhookId: v.nullable(shownText),
      chain: v.nullable(shownText),
      contractAddress: v.nullable(address),
      count: v.nullable(shownWholeNumber),
      ranges: v.nullable(v.array(tokenElement)),
      outcome: v.picklist(['done', 'failed', 'unknown']),
    }),
  ),
  form: 'paged',
} as const satisfies Route

export const requests: OperationRequests = { each: { Query: 1 } }

export const documentation = (): Documentation<typeof row> => {
  const allowlisting = {
    eventId: example.eventId,
    at: '2026-01-01T09:30:00.000Z',
    keyId: example.keyId,
    action: 'allowlistNfts',
    newKeyId: null,
    endedKeyId: null,
    webhookId: null,
    chain: 'POLYGON',
    contractAddress: example.contracts.gear,
    count: 3,
    ranges: null,
    outcome: 'done',
  } as const

  return {
    tag: 'Product',
    summary: 'Get events',
    description:
      'Lists the changes of the product, newest first: who changed what, when, and how it ended. One response has 100 events, or `limit`; if there are more, `nextCursor` leads to the next page. Events are kept for 400 days. A request that is refused before it changes anything leaves no event.',
    parameters: {
      limit: { description: 'Maximum number of events; 100 if omitted.', example: 50 },
      cursor: lastingCursor(example.eventCursor),
    },
    answers: {
      whole: {
        summary: 'All events',
        value: [
          allowlisting,
          {
            eventId: '019b78df-ede0-7b0d-9e21-6c0a4d5f7e33',
            at: '2026-01-01T09:25:00.000Z',
            keyId: example.keyId,
            action: 'registerProduct',
            newKeyId: null,
            endedKeyId: null,
            webhookId: null,
            chain: null,
            contractAddress: null,
            count: null,
            ranges: null,
            outcome: 'done',
          },
        ],
      },
      page: {
        summary: 'A part of them (limit=1)',
        value: [allowlisting],
        nextCursor: example.eventCursor,
      },
    },
    invalidRequest: refusedNumber('limit', 1001, 1000),
    schemas: {
      ProductEvent: describedObject(row.answer.item, 'A change of the product.', {
        eventId: 'Identifies the event.',
        at: 'When the change began, in UTC.',
        keyId:
          'The API key that made the change. null: the operator of the service made it, or the service itself (`pauseWebhook`).',
        action:
          'The operation that made the change, by its `operationId`, for example `allowlistNfts`. Values can be added.',
        newKeyId:
          'The key that the change added (`createKey`, `rotateKey`). null for other changes.',
        endedKeyId:
          'The key that the change ended (`endKey`), or that ends after the overlap (`rotateKey`). null for other changes.',
        webhookId: 'The webhook that the change is about. null for other changes.',
        chain: 'Chain name. null if the change is not about a contract.',
        contractAddress:
          'Contract address, in lower case. null if the change is not about a contract.',
        count:
          'The number of NFTs: the elements of the request (`allowlistNfts`), removed (`unbindNfts`), or checked so far (`refreshMetadata`). null for other changes.',
        ranges:
          'The first 10 ranges of the request (`allowlistNfts`, `unbindNfts`), merged and in the order of numbers. null without ranges.',
        outcome:
          '`done`; `failed`: the request got an error, and a part of the change can have taken effect; `unknown`: the change has not ended, or its end was not recorded.',
      }),
    },
  }
}
