import { ServiceUnavailable } from '../../domain/failures.ts'
import { tableSettings } from '../../settings/resources.ts'
import type { AwsService } from '../aws/aws-attempts.ts'
import { type AwsClient, awsClient } from '../aws/aws-client.ts'

/** The table of the service, and the client that reaches it. */
export interface Table {
  client: AwsClient
  name: string
  /** The maximum number of concurrent requests that one call of an adapter makes. */
  requestsAtOnce: number
}

export const dynamodb: AwsService = {
  name: 'DynamoDB',
  signingName: 'dynamodb',
  counted: 'dynamodb',
  target: 'DynamoDB_20120810',
  version: '1.0',
  bytes: ['B', 'BS'],
  // Of a table that is written in several Regions with strong consistency.
  retryable: ['ReplicatedWriteConflictException'],
}

/** Opens the table that the settings name. Makes no request. */
export function openTable({ requestsAtOnce = 40 } = {}): Table {
  const { tableName, isInMaintenance } = tableSettings()
  const client = isInMaintenance ? inMaintenance : awsClient(dynamodb)
  return { client, name: tableName, requestsAtOnce }
}

/** The time after which a caller may try again, in seconds. Maintenance lasts for minutes or hours. */
const maintenanceRetrySeconds = 60

/** A client whose calls fail without a request (D44). */
const inMaintenance: AwsClient = {
  send: () => Promise.reject(new ServiceUnavailable('maintenance', maintenanceRetrySeconds)),
}
