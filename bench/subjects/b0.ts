import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}))

/** B0: one GetItem, or as many as the event says, one after the other. */
export const handler = async ({ requests = 1 }: { requests?: number }) => {
  const Key = { pk: 'B0', sk: 'B0' }
  for (let count = 0; count < requests; count += 1) {
    await client.send(new GetCommand({ TableName: process.env['TABLE_NAME'], Key }))
  }
  return { statusCode: 200, body: '' }
}
