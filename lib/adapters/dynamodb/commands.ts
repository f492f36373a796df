import type * as dynamodb from '@aws-sdk/client-dynamodb'
import type * as document from '@aws-sdk/lib-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { AwsCommand, type OutputOf, type SdkCommand } from '../aws/aws-command.ts'
import { ServiceError } from '../aws/json-protocol.ts'
import type { Table } from './table.ts'

// The commands of DynamoDB that the adapters send, with the names, inputs and outputs that they have in the SDK. Those of
// its document client take and return JavaScript values in place of attribute values.

/** The names of DynamoDB's throttling errors. */
export const throttling: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
])

/** The members of a response in which DynamoDB lists the unprocessed part of a batch. */
const unprocessedMember: Readonly<Record<string, string>> = {
  BatchGetItem: 'UnprocessedKeys',
  BatchWriteItem: 'UnprocessedItems',
}

/**
 * A command with attribute values. A batch that is throttled has the output of one that DynamoDB processed in part, here
 * nothing of it: its caller handles both cases alike, and it is not sent again in between.
 */
abstract class DynamoCommand<Sdk extends SdkCommand> extends AwsCommand<
  Sdk['input'],
  OutputOf<Sdk>
> {
  override outputAfter(failure: unknown): OutputOf<Sdk> | undefined {
    const member = unprocessedMember[this.operation]
    if (member === undefined || !('RequestItems' in this.input)) return undefined
    if (!(failure instanceof ServiceError && throttling.has(failure.name))) return undefined
    const output: object = { [member]: this.input.RequestItems }
    // All members of a batch's output are optional.
    return output as OutputOf<Sdk>
  }
}

abstract class DocumentCommand<Sdk extends SdkCommand> extends DynamoCommand<Sdk> {
  override document(): object {
    return converted(this.input, marshalled)
  }

  override outputOf(response: object): OutputOf<Sdk> {
    return super.outputOf(converted(response, unmarshall))
  }
}

const marshalled = (item: object) => marshall(item, { removeUndefinedValues: true })

type Convert = (item: never) => object

/** How the members of inputs and outputs contain items or parts of items. */
const containers: Readonly<Record<string, (value: never, convert: Convert) => unknown>> = {
  Key: (item, convert) => convert(item),
  Item: (item, convert) => convert(item),
  Attributes: (item, convert) => convert(item),
  ExpressionAttributeValues: (item, convert) => convert(item),
  ExclusiveStartKey: (item, convert) => convert(item),
  LastEvaluatedKey: (item, convert) => convert(item),
  Keys: (items: never[], convert) => items.map(convert),
  Items: (items: never[], convert) => items.map(convert),
  Responses: (tables: Record<string, never[]>, convert) =>
    ofEach(tables, (items) => items.map(convert)),
  PutRequest: (request: object, convert) => converted(request, convert),
  DeleteRequest: (request: object, convert) => converted(request, convert),
  RequestItems: ofTables,
  UnprocessedKeys: ofTables,
  UnprocessedItems: ofTables,
}

/** The part of a batch for each table: keys with their options, or a list of writes. */
function ofTables(tables: Record<string, object | object[]>, convert: Convert): object {
  return ofEach(tables, (part) =>
    Array.isArray(part)
      ? part.map((write: object) => converted(write, convert))
      : converted(part, convert),
  )
}

const ofEach = <Value>(values: Record<string, Value>, convert: (value: Value) => unknown) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value)]))

const converted = (value: object, convert: Convert): object =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      member === undefined ? member : (containers[name]?.(member as never, convert) ?? member),
    ]),
  )

/** The class of the commands of an operation that take and return attribute values. */
export const itemCommand = <Sdk extends SdkCommand>(operation: string) =>
  class extends DynamoCommand<Sdk> {
    override readonly operation = operation
  }

/** The class of the commands of an operation that take and return JavaScript values. */
export const documentCommand = <Sdk extends SdkCommand>(operation: string) =>
  class extends DocumentCommand<Sdk> {
    override readonly operation = operation
  }

export const GetCommand = documentCommand<document.GetCommand>('GetItem')
export const PutCommand = documentCommand<document.PutCommand>('PutItem')
export const UpdateCommand = documentCommand<document.UpdateCommand>('UpdateItem')
export const DeleteCommand = documentCommand<document.DeleteCommand>('DeleteItem')
export const QueryCommand = documentCommand<document.QueryCommand>('Query')
export const BatchGetCommand = documentCommand<document.BatchGetCommand>('BatchGetItem')
export const BatchWriteCommand = documentCommand<document.BatchWriteCommand>('BatchWriteItem')
export const BatchGetItemCommand = itemCommand<dynamodb.BatchGetItemCommand>('BatchGetItem')
export const BatchWriteItemCommand = itemCommand<dynamodb.BatchWriteItemCommand>('BatchWriteItem')

/** The pages of a query, each read when it is asked for. */
export async function* paginateQuery(
  { client }: Pick<Table, 'client'>,
  query: document.QueryCommandInput,
): AsyncGenerator<Omit<document.QueryCommandOutput, '$metadata'>> {
  let input = query
  for (;;) {
    const page = await client.send(new QueryCommand(input))
    yield page
    if (!page.LastEvaluatedKey) return
    input = { ...query, ExclusiveStartKey: page.LastEvaluatedKey }
  }
}
