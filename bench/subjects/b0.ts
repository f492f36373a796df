import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}))

/** B0: one GetItem. */
export const handler = async () => {
  const Key = { pk: 'B0', sk: 'B0' }
  await client.send(new GetCommand({ TableName: process.env['TABLE_NAME'], Key }))
  return { statusCode: 200, body: '' }
}
