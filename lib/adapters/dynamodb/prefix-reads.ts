import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { paginateQuery, QueryCommand } from './commands.ts'
import type { Table } from './table.ts'

/** A part of a partition: the items whose sort keys begin with a prefix or are between two (default: all). */
export interface PartitionRange {
  pk: string
  prefix?: string
  between?: readonly [first: string, last: string]
}

type Item = Record<string, unknown>

/**
 * The query of a part of a partition. The read is consistent. `attributes`: what is read of each item (default:
 * everything).
 */
export function queryOf(
  { name: TableName }: Pick<Table, 'name'>,
  { pk, prefix, between }: PartitionRange,
  attributes?: string,
) {
  const ofKeys = between
    ? ' AND sk BETWEEN :first AND :last'
    : prefix
      ? ' AND begins_with(sk, :prefix)'
      : ''
  return {
    TableName,
    KeyConditionExpression: `pk = :pk${ofKeys}`,
    ExpressionAttributeValues: {
      ':pk': pk,
      ...(prefix && { ':prefix': prefix }),
      ...(between && { ':first': between[0], ':last': between[1] }),
    },
    ...(attributes !== undefined && { ProjectionExpression: attributes }),
    ConsistentRead: true,
  } satisfies QueryCommandInput
}

/** The items of a part of a partition, page by page, in the order of sort keys. Parameters as of {@link queryOf}. */
export async function* pagesUnder(
  table: Pick<Table, 'client' | 'name'>,
  range: PartitionRange,
  attributes?: string,
): AsyncGenerator<Item[]> {
  const pages = paginateQuery(table, queryOf(table, range, attributes))
  for await (const { Items = [] } of pages) yield Items
}

/** All items of a part of a partition, in the order of their sort keys. Parameters as of {@link queryOf}. */
export async function itemsUnder(
  table: Pick<Table, 'client' | 'name'>,
  range: PartitionRange,
  attributes?: string,
): Promise<Item[]> {
  const items: Item[] = []
  for await (const page of pagesUnder(table, range, attributes)) items.push(...page)
  return items
}

/** The first items of a query, up to a number, which can take several pages of 1 MB. */
export async function firstItems(
  { client }: Pick<Table, 'client'>,
  query: QueryCommandInput,
  count: number,
): Promise<Item[]> {
  const items: Item[] = []
  let from: Pick<QueryCommandInput, 'ExclusiveStartKey'> = {}
  for (;;) {
    const page = { ...query, ...from, Limit: count - items.length }
    const { Items = [], LastEvaluatedKey } = await client.send(new QueryCommand(page))
    items.push(...Items)
    if (!LastEvaluatedKey || items.length >= count) return items
    from = { ExclusiveStartKey: LastEvaluatedKey }
  }
}
