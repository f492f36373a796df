import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { clientOptions } from '../client-options.ts'
import { whenPermitted } from '../when-permitted.ts'

/** A sentence if the secret does not exist, or is pending deletion. No sentence for empty text. */
export async function secretFaults(arn: string): Promise<string[]> {
  if (arn === '') return []
  const fault = await whenPermitted(() => faultOf(arn))
  return fault === undefined
    ? []
    : [`The secret ${arn} (indexerSecretArn) cannot be used: ${fault}.`]
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
