import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import { DeleteCommand, PutCommand, UpdateCommand } from './commands.ts'
import type { Key } from './keys/key.ts'
import type { Table } from './table.ts'

// Writes of single items, each on conditions.

/** A condition on an attribute of an item. A dot leads into a map, and a number in brackets into a list. */
export type FieldCondition =
  | readonly [path: string, relation: 'absent' | 'exists']
  | readonly [path: string, relation: '=', value: number | string | boolean | Uint8Array]
  | readonly [path: string, relation: '<=' | '>' | 'absent or <=', value: number]

/** When an item is written: always, by default. */
export interface Conditions {
  conditions?: readonly FieldCondition[]
  /** Met in place of all of them, such as by what the same write has written before, when its response was lost. */
  or?: FieldCondition
}

/** An update of the attributes of an item: all of it, or nothing. */
export interface FieldUpdate extends Conditions {
  set?: Readonly<Record<string, unknown>>
  setIfAbsent?: Readonly<Record<string, unknown>>
  add?: Readonly<Record<string, number>>
  remove?: readonly string[]
}

/** Puts an item in place of any other one. Returns whether the conditions were met. */
export async function putItem<Item extends Key>(
  { client, name: TableName }: Table,
  item: Item,
  conditions: Conditions = {},
): Promise<boolean> {
  const command = new PutCommand({ TableName, Item: item, ...expressions().on(conditions) })
  return (await unlessConditionFails(client.send(command))) !== undefined
}

/** Deletes an item. Returns whether the conditions were met. */
export async function deleteItem(
  { client, name: TableName }: Table,
  Key: Key,
  conditions: Conditions = {},
): Promise<boolean> {
  const command = new DeleteCommand({ TableName, Key, ...expressions().on(conditions) })
  return (await unlessConditionFails(client.send(command))) !== undefined
}

/** Updates an item. Returns whether the conditions were met. */
export const updateItem = async (table: Table, key: Key, update: FieldUpdate): Promise<boolean> =>
  (await updatedItem(table, key, update)) !== undefined

/** The same, but returns attributes of the item: which and as of when, says `ReturnValues`. */
export async function updatedItem(
  { client, name: TableName }: Table,
  Key: Key,
  update: FieldUpdate,
  ReturnValues?: UpdateCommandInput['ReturnValues'],
): Promise<Record<string, unknown> | undefined> {
  const command = new UpdateCommand({ TableName, Key, ...fieldUpdate(update), ReturnValues })
  const updated = await unlessConditionFails(client.send(command))
  return updated && (updated.Attributes ?? {})
}

/** The result of a conditional write; `undefined` if its condition is not met. */
export async function unlessConditionFails<Result>(
  write: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await write
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return undefined
    throw error
  }
}

/** The expressions of an UpdateItem, and their placeholders. */
export function fieldUpdate({
  set = {},
  setIfAbsent = {},
  add = {},
  remove = [],
  ...conditions
}: FieldUpdate) {
  const { nameOf, operandOf, on } = expressions()
  const operandsOf = (fields: Readonly<Record<string, unknown>>) =>
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [nameOf(name), operandOf('', name, value)] as const)
  const clauses = [
    [
      'SET',
      [
        ...operandsOf(set).map(([name, value]) => `${name} = ${value}`),
        ...operandsOf(setIfAbsent).map(([n, value]) => `${n} = if_not_exists(${n}, ${value})`),
      ],
    ],
    ['REMOVE', remove.map(nameOf)],
    ['ADD', operandsOf(add).map(([name, value]) => `${name} ${value}`)],
  ] as const
  return {
    UpdateExpression: clauses
      .filter(([, parts]) => parts.length > 0)
      .map(([keyword, parts]) => `${keyword} ${parts.join(', ')}`)
      .join(' '),
    ...on(conditions),
  }
}

/** The placeholders of the expressions of a write. */
function expressions() {
  const names: Record<string, string> = {}
  const values: Record<string, unknown> = {}
  const nameOf = (path: string): string => {
    const parts = path.split('.')
    for (const part of parts) names[`#${part}`.replace(/\[.*/, '')] = part.replace(/\[.*/, '')
    return parts.map((part) => `#${part}`).join('.')
  }
  const operandOf = (prefix: string, path: string, value: unknown): string => {
    const placeholder = `:${prefix}${path.replace(/\W/g, '_')}`
    values[placeholder] = value
    return placeholder
  }
  const conditionOf = (prefix: string, [path, relation, value]: FieldCondition): string => {
    const attribute = nameOf(path)
    if (relation === 'absent') return `attribute_not_exists(${attribute})`
    if (relation === 'exists') return `attribute_exists(${attribute})`
    const operand = operandOf(prefix, path, value)
    return relation === 'absent or <='
      ? `(attribute_not_exists(${attribute}) OR ${attribute} <= ${operand})`
      : `${attribute} ${relation} ${operand}`
  }
  return {
    nameOf,
    operandOf,
    /** The condition, and all placeholders so far. DynamoDB refuses empty ones. */
    on({ conditions = [], or }: Conditions) {
      const met = conditions.map((condition) => conditionOf('is_', condition)).join(' AND ')
      const condition = met && or ? `${met} OR ${conditionOf('or_', or)}` : met
      return {
        ...(condition && { ConditionExpression: condition }),
        ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
        ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      }
    },
  }
}
