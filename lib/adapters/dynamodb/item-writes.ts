import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import { type AwsCommand, singleAttempt } from '../aws/aws-command.ts'
import { DeleteCommand, PutCommand, UpdateCommand } from './commands.ts'
import type { Key } from './keys/key.ts'
import type { Table } from './table.ts'

// Writes of single items, each on conditions.

/** A condition on an attribute of an item. A dot leads into a map, and a number in brackets into a list. */
export type FieldCondition =
  | readonly [path: string, relation: 'absent' | 'exists']
  | readonly [path: string, relation: '=', value: number | string | boolean | Uint8Array]
  | readonly [
      path: string,
      relation: Comparison | `absent or ${Comparison}`,
      value: number | string,
    ]

type Comparison = '<' | '<=' | '>'

/** How an item is written: always, by default, and again after temporary failures. */
export interface WriteOptions {
  conditions?: readonly FieldCondition[]
  /** Met in place of all of them, such as by what the same write has written before, when its response was lost. */
  or?: FieldCondition
  /** Whether the request is sent once, whatever becomes of it: see {@link singleAttempt}. */
  isSentOnce?: boolean
}

/** An update of the attributes of an item: all of it, or nothing. */
export interface FieldUpdate extends WriteOptions {
  set?: Readonly<Record<string, unknown>>
  setIfAbsent?: Readonly<Record<string, unknown>>
  /** Numbers that are added, or members of sets. */
  add?: Readonly<Record<string, number | ReadonlySet<number>>>
  remove?: readonly string[]
  /** Members that are removed from sets. */
  delete?: Readonly<Record<string, ReadonlySet<number>>>
}

/** Puts an item in place of any other one. Returns whether the conditions were met. */
export async function putItem<Item extends Key>(
  { client, name: TableName }: Table,
  item: Item,
  options: WriteOptions = {},
): Promise<boolean> {
  const command = new PutCommand({ TableName, Item: item, ...expressions().on(options) })
  return (await outputOf(client, command, options)) !== undefined
}

/** Deletes an item. Returns whether the conditions were met. */
export async function deleteItem(
  { client, name: TableName }: Table,
  Key: Key,
  options: WriteOptions = {},
): Promise<boolean> {
  const command = new DeleteCommand({ TableName, Key, ...expressions().on(options) })
  return (await outputOf(client, command, options)) !== undefined
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
  const updated = await outputOf(client, command, update)
  return updated && (updated.Attributes ?? {})
}

const outputOf = <Output extends object>(
  client: Table['client'],
  command: AwsCommand<object, Output>,
  { isSentOnce }: WriteOptions,
): Promise<Output | undefined> =>
  unlessConditionFails(client.send(isSentOnce ? singleAttempt(command) : command))

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

function fieldUpdate({
  set = {},
  setIfAbsent = {},
  add = {},
  remove = [],
  delete: deleted = {},
  ...options
}: FieldUpdate) {
  const { nameOf, operandOf, on } = expressions()
  const operandsOf = (fields: Readonly<Record<string, unknown>>) =>
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [nameOf(name), operandOf(value)] as const)
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
    ['DELETE', operandsOf(deleted).map(([name, value]) => `${name} ${value}`)],
  ] as const
  return {
    UpdateExpression: clauses
      .filter(([, parts]) => parts.length > 0)
      .map(([keyword, parts]) => `${keyword} ${parts.join(', ')}`)
      .join(' '),
    ...on(options),
  }
}

function expressions() {
  const names: Record<string, string> = {}
  const values: Record<string, unknown> = {}
  const nameOf = (path: string): string =>
    path.replace(/[^.[\]]+(?=[.[]|$)/g, (name) => {
      const placeholder = `#${Object.keys(names).length}`
      names[placeholder] = name
      return placeholder
    })
  const operandOf = (value: unknown): string => {
    const placeholder = `:${Object.keys(values).length}`
    values[placeholder] = value
    return placeholder
  }
  const conditionOf = ([path, relation, value]: FieldCondition): string => {
    const attribute = nameOf(path)
    if (relation === 'absent') return `attribute_not_exists(${attribute})`
    if (relation === 'exists') return `attribute_exists(${attribute})`
    const compared = `${attribute} ${relation.replace('absent or ', '')} ${operandOf(value)}`
    return relation.startsWith('absent or ')
      ? `(attribute_not_exists(${attribute}) OR ${compared})`
      : compared
  }
  return {
    nameOf,
    operandOf,
    /** The condition, and all placeholders so far. DynamoDB refuses empty ones. */
    on({ conditions = [], or }: WriteOptions) {
      const met = conditions.map(conditionOf).join(' AND ')
      const condition = met && or ? `${met} OR ${conditionOf(or)}` : met
      return {
        ...(condition && { ConditionExpression: condition }),
        ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
        ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      }
    },
  }
}
