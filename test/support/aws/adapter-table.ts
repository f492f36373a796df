import type { AwsAccess } from '@player-nfts/local/aws/aws-access'
import { awsClient } from '../../../lib/adapters/aws/aws-client.ts'
import { dynamodb, type Table } from '../../../lib/adapters/dynamodb/table.ts'

/** The table of a stack for adapters of the service, whatever the environment of the process is. */
export const adapterTableOf = ({
  aws,
  resources: { tableName },
}: {
  aws: AwsAccess
  resources: { tableName: string }
}): Table => ({ client: awsClient(dynamodb, aws), name: tableName, requestsAtOnce: 40 })
