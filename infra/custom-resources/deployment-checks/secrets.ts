import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { clientOptions, whenPermitted } from '../aws-calls.ts'
import type { CheckedProperties } from './checked-properties.ts'

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
    const fault = await whenPermitted(() => faultOf(arn))
    if (fault) faults.push(`The secret ${arn} (${setting}) cannot be used: ${fault}.`)
  }
  return faults
}

async function faultOf(SecretId: string): Promise<string | undefined> {
  const client = new SecretsManagerClient(clientOptions())
  try {
    const { DeletedDate } = await client.send(new DescribeSecretCommand({ SecretId }))
    return DeletedDate && 'it is pending deletion (aws secretsmanager restore-secret)'
  } catch (error) {
    if ((error as Error).name !== 'ResourceNotFoundException') throw error
    return 'it does not exist in this account and Region'
  }
}
