import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** Where DynamoDB names what it has left of a batch that it took only a part of. */
const leftOf: Readonly<Record<string, string>> = {
  BatchGetItemCommand: 'UnprocessedKeys',
  BatchWriteItemCommand: 'UnprocessedItems',
}

/** What DynamoDB calls a request of which it takes nothing for now. */
const throttling = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
])

/** In place of DynamoDB's own error, which the SDK would answer by waiting and sending again. */
class ThrottledBatch extends Error {}

/**
 * Lets a client answer a batch that DynamoDB has turned away for now as DynamoDB answers one that it
 * took a part of: with what is left unprocessed, here all of it. Whoever sends that again need not
 * tell the two apart, and no attempt of the SDK's own comes in between.
 */
export function withThrottledBatchesLeft(client: DynamoDBClient): DynamoDBClient {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        try {
          return await next(args)
        } catch (error) {
          const isThrottled = error instanceof Error && throttling.has(error.name)
          throw isThrottled && commandName in leftOf ? new ThrottledBatch() : error
        }
      },
    // Within the SDK's own retries, which begin this step.
    { step: 'finalizeRequest', name: 'throttledBatch', priority: 'low' },
  )
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        try {
          return await next(args)
        } catch (error) {
          if (!(error instanceof ThrottledBatch) || !('RequestItems' in args.input)) throw error
          const output = { [leftOf[commandName] as string]: args.input.RequestItems, $metadata: {} }
          return { output, response: undefined }
        }
      },
    // Before the failure is counted, and where the batch is still as the document client was given it.
    { step: 'initialize', name: 'leftOfThrottledBatch', priority: 'low' },
  )
  return client
}
