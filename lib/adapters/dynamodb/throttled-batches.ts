import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** The members of a response in which DynamoDB lists the unprocessed part of a batch. */
const unprocessedMember: Readonly<Record<string, string>> = {
  BatchGetItemCommand: 'UnprocessedKeys',
  BatchWriteItemCommand: 'UnprocessedItems',
}

/** The names of DynamoDB's throttling errors. */
export const throttling: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
])

/** Replaces DynamoDB's own error, which the SDK would retry. */
class ThrottledBatch extends Error {}

/**
 * Makes a client return a throttled batch like a batch that DynamoDB processed in part: as unprocessed,
 * here all of it. The caller handles both cases alike, and the SDK does not retry in between.
 */
export function withThrottledBatchesUnprocessed(client: DynamoDBClient): DynamoDBClient {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        try {
          return await next(args)
        } catch (error) {
          const isThrottled = error instanceof Error && throttling.has(error.name)
          throw isThrottled && commandName in unprocessedMember ? new ThrottledBatch() : error
        }
      },
    // Priority low runs inside the SDK's retries.
    { step: 'finalizeRequest', name: 'throttledBatch', priority: 'low' },
  )
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        try {
          return await next(args)
        } catch (error) {
          const member = unprocessedMember[commandName]
          if (!(error instanceof ThrottledBatch) || member === undefined) throw error
          if (!('RequestItems' in args.input)) throw error
          const output = {
            [member]: args.input.RequestItems,
            $metadata: {},
          }
          return { output, response: undefined }
        }
      },
    // Outside the SDK's retries, where the batch is still in the form of the document client.
    { step: 'initialize', name: 'unprocessedThrottledBatch', priority: 'low' },
  )
  return client
}
