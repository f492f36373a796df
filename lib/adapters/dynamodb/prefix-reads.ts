import { paginateQuery } from './commands.ts'
import type { Table } from './table.ts'

/**
 * All items of a partition whose sort keys begin with a prefix (default: any), in the order of these. The read is consistent.
 * `attributes`: what is read of each (default: everything).
 */
export async function itemsUnder(
  { client, name: TableName }: Pick<Table, 'client' | 'name'>,
  { pk, prefix }: { pk: string; prefix?: string },
  attributes?: string,
): Promise<Record<string, unknown>[]> {
  const pages = paginateQuery(
    { client },
    {
      TableName,
      KeyConditionExpression: `pk = :pk${prefix ? ' AND begins_with(sk, :prefix)' : ''}`,
      ExpressionAttributeValues: { ':pk': pk, ...(prefix && { ':prefix': prefix }) },
      ...(attributes !== undefined && { ProjectionExpression: attributes }),
      ConsistentRead: true,
    },
  )
  const items: Record<string, unknown>[] = []
  for await (const { Items = [] } of pages) items.push(...Items)
  return items
}
