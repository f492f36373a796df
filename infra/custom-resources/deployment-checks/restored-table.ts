import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { clientOptions } from '../../../lib/adapters/aws-client.ts'
import { whenPermitted } from '../when-permitted.ts'

/** A sentence if the table does not exist, is not ready, or is not a copy of the table of the service. */
export async function tableFaults(name: string): Promise<string[]> {
  if (name === '') return []
  const fault = await whenPermitted(() => faultOf(name))
  return fault === undefined ? [] : [`The table ${name} (restoredTable) cannot be used: ${fault}.`]
}

async function faultOf(TableName: string): Promise<string | undefined> {
  const client = new DynamoDBClient(clientOptions())
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }))
    if (Table?.TableStatus !== 'ACTIVE') {
      return `its status is ${Table?.TableStatus}. Deploy when it is ACTIVE`
    }
    const keys = Table.KeySchema?.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`)
    return keys?.join() === 'pk HASH,sk RANGE'
      ? undefined
      : 'its keys are not pk and sk, so that it is not a copy of the table of this service'
  } catch (error) {
    if ((error as Error).name !== 'ResourceNotFoundException') throw error
    return 'it does not exist in this account and Region'
  }
}
