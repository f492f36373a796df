import * as v from 'valibot'
import { shownText, shownWholeNumber } from '../../lib/contract/answers.ts'
import {
  type Documentation,
  describedObject,
  refusedNumber,
} from '../../lib/contract/documentation.ts'
import { count } from '../../lib/contract/fields/numbers.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { maxUsageDays } from '../../lib/domain/usage/usage.ts'

export const row = {
  id: 'getUsage',
  section: 'D55',
  method: 'GET',
  paths: [`${base}/product/usage`],
  auth: 'PRODUCT',
  query: v.object({ days: v.optional(count(1, maxUsageDays)) }),
  answer: v.array(
    v.object({
      day: v.pipe(shownText, v.isoDate()),
      calls: v.array(
        v.object({ operation: shownText, outcome: shownText, count: shownWholeNumber }),
      ),
      indexerCalls: shownWholeNumber,
      players: shownWholeNumber,
      playersEstimated: v.boolean(),
      limited: v.array(v.object({ limit: shownText, count: shownWholeNumber })),
    }),
  ),
} as const satisfies Route

export const requests: OperationRequests = { each: { Query: 1 } }

export const documentation = (): Documentation<typeof row> => {
  const { calls, limited } = row.answer.item.entries

  return {
    tag: 'Product',
    summary: 'Get usage',
    description:
      'Lists the usage of the product by day in UTC, today first: calls by operation and outcome, calls to the indexer, distinct players, and calls that a limit refused. Days without usage are listed with zeros. The usage can lag: a function counts in memory and writes its counts with a later call, and counts that it does not write before it ends are lost. It is therefore no basis for a bill. The usage of a day is kept for 91 days.',
    parameters: {
      days: { description: 'Number of days, including today; 30 if omitted.', example: 7 },
    },
    answers: {
      days: {
        summary: 'Two days (days=2)',
        value: [
          {
            day: '2026-01-02',
            calls: [
              { operation: 'getRawMetadata', outcome: 'rate_limited', count: 12 },
              { operation: 'getRawMetadata', outcome: 'success', count: 2481 },
            ],
            indexerCalls: 3120,
            players: 412,
            playersEstimated: true,
            limited: [{ limit: 'indexer_calls_by_minute', count: 12 }],
          },
          {
            day: '2026-01-01',
            calls: [],
            indexerCalls: 0,
            players: 0,
            playersEstimated: false,
            limited: [],
          },
        ],
      },
    },
    invalidRequest: refusedNumber('days', 91, 90),
    schemas: {
      DailyUsage: describedObject(row.answer.item, 'The usage of a product on one day.', {
        day: 'The day, in UTC.',
        calls: 'The number of calls for each operation and outcome.',
        indexerCalls:
          'The number of requests to the NFT indexer, including those of refreshes in the background.',
        players:
          'The number of distinct players of `getRawMetadata` and `getStructuredMetadata`: exact below 256, then an estimate with a standard error of 6.3 %.',
        playersEstimated: 'Whether `players` is an estimate.',
        limited: 'The number of calls that each limit refused.',
      }),
      CountedCalls: describedObject(calls.item, 'The calls of an operation with one outcome.', {
        operation: 'The `operationId`. Values can be added.',
        outcome: '`success`, or the `code` of the problem. Values can be added.',
        count: 'The number of calls.',
      }),
      LimitedCalls: describedObject(limited.item, 'The calls that one limit refused with 429.', {
        limit: 'The name of the limit, as problem details show it. Values can be added.',
        count: 'The number of calls.',
      }),
    },
  }
}
