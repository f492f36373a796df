import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetKeyPolicyCommand, KMSClient } from '@aws-sdk/client-kms'
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import * as v from 'valibot'
import { clientOptions, faultsOfUse, whenPermitted } from '../aws-calls.ts'
import type { CheckedProperties, Signers } from './checked-properties.ts'

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

/** The statement with which a stack denies signing to everybody but the roles of its functions (D70). */
const denial = v.object({
  Effect: v.literal('Deny'),
  Action: v.union([v.string(), v.array(v.string())]),
  Condition: v.object({
    ArnNotEquals: v.object({ 'aws:PrincipalArn': v.union([v.string(), v.array(v.string())]) }),
  }),
})

const policy = v.object({ Statement: v.array(v.unknown()) })

/**
 * A sentence if the policy of a key that the stack has not created, and whose policy it does not change, denies signing to one of these
 * roles (D113): each call of its function would fail. The sentence has the statement that permits it.
 */
export async function signerFaults({ Key: KeyId, Roles }: Signers): Promise<string[]> {
  const client = new KMSClient(clientOptions())
  const { Policy = '{"Statement":[]}' } = await whenPermitted(() =>
    client.send(new GetKeyPolicyCommand({ KeyId })),
  )
  return v.parse(policy, JSON.parse(Policy)).Statement.flatMap((statement) => {
    if (!v.is(denial, statement) || !isOfSigning(statement.Action)) return []
    const permitted = [statement.Condition.ArnNotEquals['aws:PrincipalArn']].flat()
    const missing = Roles.filter((role) => !permitted.includes(role))
    if (missing.length === 0) return []
    const all = { 'aws:PrincipalArn': [...permitted, ...missing] }
    const replacement = { ...statement, Condition: { ArnNotEquals: all } }
    return [
      `The policy of the key ${KeyId} denies kms:Sign to ${missing.join(' and ')}, so players could not sign in with their wallets. Replace its statement ${JSON.stringify(statement)} by ${JSON.stringify(replacement)}.`,
    ]
  })
}

const isOfSigning = (actions: string | readonly string[]): boolean =>
  [actions].flat().some((action) => ['kms:Sign', 'kms:*'].includes(action))
