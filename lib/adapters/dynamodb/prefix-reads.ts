import { paginateQuery } from './commands.ts'
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
