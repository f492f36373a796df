import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { clientOptions, whenPermitted } from '../aws-calls.ts'
import type { CheckedProperties } from './checked-properties.ts'

const missing = 'it does not exist in this account and Region'

/** A sentence if the table does not exist, is not ready, or is not a copy of the table of the service. */
export async function tableFaults(name: string): Promise<string[]> {
  if (name === '') return []
  const fault = await whenPermitted(() => faultOfTable(name))
  return fault === undefined ? [] : [`The table ${name} (restoredTable) cannot be used: ${fault}.`]
}

async function faultOfTable(TableName: string): Promise<string | undefined> {
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
    return missing
  }
}

/**
 * A sentence if an update leaves the restored table that is in use, and `leaveTable` does not name it (D76). The way
 * from the stack's own table to a restored table needs no permission, because the settings name the restored table.
 */
export function leftTableFaults(before: CheckedProperties, after: CheckedProperties): string[] {
  const { RestoredTable: left } = before
  const { RestoredTable: next, LeaveTable } = after
  if (left === '' || left === next || left === LeaveTable) return []
  const instead = next === '' ? "the stack's own table" : `the table ${next}`
  return [
    `The table in use is ${left} (restoredTable), and this deployment would use ${instead} in its place, without what was written to ${left}. Set "restoredTable": "${left}", or set "leaveTable": "${left}" if it is meant: docs/runbook.md#leaving-a-restored-table.`,
  ]
}

/** A sentence for each secret that the stack has not created, and that does not exist or is pending deletion. */
export async function secretFaults({
  IndexerSecret,
  WebhookSecrets = [],
}: Pick<CheckedProperties, 'IndexerSecret' | 'WebhookSecrets'>): Promise<string[]> {
  const secrets = [
    ...(IndexerSecret ? [['indexerSecretArn', IndexerSecret] as const] : []),
    ...WebhookSecrets.map((arn) => ['webhooks.secrets', arn] as const),
  ]
  const faults: string[] = []
  for (const [setting, arn] of secrets) {
    const fault = await whenPermitted(() => faultOfSecret(arn))
    if (fault) faults.push(`The secret ${arn} (${setting}) cannot be used: ${fault}.`)
  }
  return faults
}

async function faultOfSecret(SecretId: string): Promise<string | undefined> {
  const client = new SecretsManagerClient(clientOptions())
  try {
    const { DeletedDate } = await client.send(new DescribeSecretCommand({ SecretId }))
    return DeletedDate && 'it is pending deletion (aws secretsmanager restore-secret)'
  } catch (error) {
    if ((error as Error).name !== 'ResourceNotFoundException') throw error
    return missing
  }
}
