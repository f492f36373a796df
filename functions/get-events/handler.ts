import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { foreignCursor } from '../../lib/contract/fields/cursors.ts'
import { writeEventCursor } from '../../lib/contract/list-cursors.ts'
import { InvalidInput } from '../../lib/domain/failures.ts'
import { defaultEventsPerPage, type ProductEvent } from '../../lib/domain/product/product-event.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { productCallerPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** D49: the changes of the product, newest first, page by page. */
export const handler = handlerOf(
  row,
  { ...productCallerPorts(table), events: dynamoProductEvents(table) },
  async ({ productId, query }, { events }) => {
    const { cursor: after, limit = defaultEventsPerPage } = query
    // One more than the limit shows whether further events follow.
    const found = await events.list(productId, { after, limit: limit + 1 })
    if (!found) throw new InvalidInput({ in: 'query', path: 'cursor' }, foreignCursor)
    const page = found.slice(0, limit)
    const last = page.at(-1)
    return {
      data: page.map(entryOf),
      nextCursor: found.length > limit && last ? writeEventCursor(last) : undefined,
    }
  },
)

const entryOf = ({ eventId, at, keyId, action, ...event }: ProductEvent) => ({
  eventId,
  at,
  keyId,
  action,
  newKeyId: event.newKeyId ?? null,
  endedKeyId: event.endedKeyId ?? null,
  webhookId: event.webhookId ?? null,
  chain: event.chain ?? null,
  contractAddress: event.contractAddress ?? null,
  count: event.count ?? null,
  ranges: event.ranges ?? null,
  outcome: event.outcome ?? ('unknown' as const),
})
