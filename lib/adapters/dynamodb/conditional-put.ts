import { PutCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import type { Key } from './keys/key.ts'
import type { Table } from './table.ts'

/** What an item may replace: one with these attributes, or one whose version is at most this, or none; `undefined`: only none. */
export type Replaced =
  | { attributes: Readonly<Record<string, string | number>> }
  | { versionUpTo: number }
  | undefined

/**
 * Puts an item in place of what it may replace. Returns whether that was there, or the item itself, which has the same mark: then the
 * response to an earlier attempt was lost.
 */
export async function conditionalPut(
  { client, name: TableName }: Table,
  Item: Key & Record<string, unknown>,
  replaced: Replaced,
  mark: readonly [name: string, value: string],
): Promise<boolean> {
  const names: Record<string, string> = {}
  const values: Record<string, string | number> = {}
  const compared = (
    prefix: 'before' | 'mark',
    [name, value]: readonly [string, string | number],
    relation = '=',
  ): string => {
    names[`#${name}`] = name
    values[`:${prefix}_${name}`] = value
    return `#${name} ${relation} :${prefix}_${name}`
  }
  const isReplaced = () => {
    if (replaced === undefined) return 'attribute_not_exists(pk)'
    if ('versionUpTo' in replaced)
      return `attribute_not_exists(pk) OR ${compared('before', ['version', replaced.versionUpTo], '<=')}`
    const attributes = Object.entries(replaced.attributes)
    return attributes.map((attribute) => compared('before', attribute)).join(' AND ')
  }
  const command = new PutCommand({
    ...{ TableName, Item },
    ConditionExpression: `${isReplaced()} OR ${compared('mark', mark)}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  })
  return (await unlessConditionFails(client.send(command))) !== undefined
}
