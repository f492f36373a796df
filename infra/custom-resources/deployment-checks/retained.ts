import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { clientOptions, faultsOfUse } from '../aws-calls.ts'
import type { CheckedProperties } from './checked-properties.ts'

/** A sentence if the table does not exist, is not ready, or is not a copy of the table of the service. */
export async function tableFaults(TableName: string): Promise<string[]> {
  if (TableName === '') return []
  const client = new DynamoDBClient(clientOptions())
  return await faultsOfUse(`table ${TableName} (restoredTable)`, async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }))
    if (Table?.TableStatus !== 'ACTIVE') {
      return `its status is ${Table?.TableStatus}. Deploy when it is ACTIVE`
    }
    const keys = Table.KeySchema?.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`)
    return keys?.join() === 'pk HASH,sk RANGE'
      ? undefined
      : 'its keys are not pk and sk, so that it is not a copy of the table of this service'
  })
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
  const client = new SecretsManagerClient(clientOptions())
  const secrets = [
    ...(IndexerSecret ? [['indexerSecretArn', IndexerSecret] as const] : []),
    ...WebhookSecrets.map((arn) => ['webhooks.secrets', arn] as const),
  ]
  const faults = secrets.map(([setting, SecretId]) =>
    faultsOfUse(`secret ${SecretId} (${setting})`, async () => {
      const { DeletedDate } = await client.send(new DescribeSecretCommand({ SecretId }))
      return DeletedDate && 'it is pending deletion (aws secretsmanager restore-secret)'
    }),
  )
  return (await Promise.all(faults)).flat()
}
