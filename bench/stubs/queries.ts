import type { QueryInput } from '@aws-sdk/client-dynamodb'
import { AwsError } from '@player-nfts/local/aws/protocol'
import { itemSize } from 'dynalite/db/index.js'
import { attributeName } from './expressions.ts'
import { type Item, keyOf, type MemoryTable, type Range } from './memory-table.ts'

const maxQueryBytes = 1_048_576

/** One page of a Query. */
export function query(table: MemoryTable, input: QueryInput) {
  const { Limit = Number.POSITIVE_INFINITY, Select } = input
  const items: Item[] = []
  let bytes = 0
  let last: Item | undefined
  for (const item of inOrder(table, input)) {
    if (items.length === Limit || bytes > maxQueryBytes) {
      last = items.at(-1)
      break
    }
    items.push(item)
    bytes += itemSize(item)
  }
  const key = last && { pk: last['pk'], sk: last['sk'] }
  return {
    Count: items.length,
    ScannedCount: items.length,
    ...(Select !== 'COUNT' && { Items: items.map((item) => projected(item, input)) }),
    ...(key && { LastEvaluatedKey: key }),
  }
}

/** The items after the start key. A reversed range is collected first, because only short ones are read so. */
function* inOrder(table: MemoryTable, input: QueryInput): Generator<Item> {
  const { pk, range, last } = rangeOf(input)
  const start = input.ExclusiveStartKey && keyOf(input.ExclusiveStartKey).sk
  if (input.ScanIndexForward === false) {
    const items = [...table.range(pk, range)].reverse()
    yield* items.filter(
      (item) => (!last || keyOf(item).sk <= last) && (!start || keyOf(item).sk < start),
    )
    return
  }
  for (const item of table.range(pk, { ...range, ...(start && { after: start }) })) {
    if (last && keyOf(item).sk > last) return
    yield item
  }
}

/**
 * Parses `pk = :pk`, optionally with `AND sk > :after`, `AND begins_with(sk, :prefix)` or
 * `AND sk BETWEEN :after AND :last`, in which the stub leaves out the first key.
 */
function rangeOf(input: QueryInput): { pk: string; range: Range; last?: string } {
  const form =
    /^[#\w]+ = (:\w+)(?: AND (?:[#\w]+ > (:\w+)|begins_with\([#\w]+, (:\w+)\)|[#\w]+ BETWEEN (:\w+) AND (:\w+)))?$/
  const match = form.exec(input.KeyConditionExpression ?? '')
  if (!match) throw new AwsError('ValidationException', 'a key condition unknown to the stub')
  const [, pk, greater, prefix, first, last] = match.map(
    (name) => input.ExpressionAttributeValues?.[name]?.S,
  )
  const after = greater || first
  return {
    pk: pk ?? '',
    range: { ...(after && { after }), ...(prefix && { prefix }) },
    ...(last && { last }),
  }
}

function projected(item: Item, input: QueryInput): Item {
  if (!input.ProjectionExpression) return item
  const names = input.ProjectionExpression.split(',').map((name) =>
    attributeName(name.trim(), input),
  )
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)))
}
