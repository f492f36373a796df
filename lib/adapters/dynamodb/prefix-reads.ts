import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { paginateQuery, QueryCommand } from './commands.ts'
import type { Table } from './table.ts'

/**
 * All items of a partition whose sort keys begin with a prefix or are between two (default: any), in the order of these. The read is
 * consistent. `attributes`: what is read of each (default: everything).
 */
export async function itemsUnder(
  { client, name: TableName }: Pick<Table, 'client' | 'name'>,
  {
    pk,
    prefix,
    between,
  }: { pk: string; prefix?: string; between?: readonly [first: string, last: string] },
  attributes?: string,
): Promise<Record<string, unknown>[]> {
  const ofKeys = between
    ? ' AND sk BETWEEN :first AND :last'
    : prefix
      ? ' AND begins_with(sk, :prefix)'
      : ''
  const pages = paginateQuery(
    { client },
    {
      TableName,
      KeyConditionExpression: `pk = :pk${ofKeys}`,
      ExpressionAttributeValues: {
        ':pk': pk,
        ...(prefix && { ':prefix': prefix }),
        ...(between && { ':first': between[0], ':last': between[1] }),
      },
      ...(attributes !== undefined && { ProjectionExpression: attributes }),
      ConsistentRead: true,
    },
  )
  const items: Record<string, unknown>[] = []
  for await (const { Items = [] } of pages) items.push(...Items)
  return items
}

/** The first items of a query, up to a number, which can take several pages of 1 MB. The read is consistent. */
export async function firstItems(
  { client, name: TableName }: Pick<Table, 'client' | 'name'>,
  query: Omit<QueryCommandInput, 'TableName'>,
  count: number,
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = []
  let from: Pick<QueryCommandInput, 'ExclusiveStartKey'> = {}
  for (;;) {
    const page = { ...query, ...from, TableName, ConsistentRead: true, Limit: count - items.length }
    const { Items = [], LastEvaluatedKey } = await client.send(new QueryCommand(page))
    items.push(...Items)
    if (!LastEvaluatedKey || items.length >= count) return items
    from = { ExclusiveStartKey: LastEvaluatedKey }
  }
}
