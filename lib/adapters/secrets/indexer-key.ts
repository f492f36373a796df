import type * as sdk from '@aws-sdk/client-secrets-manager'
import { ServiceUnavailable } from '../../domain/failures.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { indexerSettings } from '../../settings/indexer.ts'
import type { AwsService } from '../aws/aws-attempts.ts'
import { type AwsClient, awsClient } from '../aws/aws-client.ts'
import { commandOf } from '../aws/aws-command.ts'
import type { IndexerKey } from '../indexer-key.ts'

export const secretsManager: AwsService = {
  name: 'Secrets Manager',
  signingName: 'secretsmanager',
  counted: 'secretsManager',
  target: 'secretsmanager',
  version: '1.1',
  bytes: ['SecretBinary'],
}

export const GetSecretValueCommand = commandOf<sdk.GetSecretValueCommand>('GetSecretValue')

/** The indexer's key in Secrets Manager, cached for the life of the container. */
export function secretsIndexerKey(): IndexerKey {
  const { secretArn } = indexerSettings()
  // A container that asks the indexer nothing needs no client.
  let client: AwsClient | undefined
  let known: Promise<string> | undefined

  return ({ anew = false } = {}) => {
    if (anew || !known) {
      const reading = downstreamCalls.shared(read)
      // A failed read is not cached.
      reading.catch(() => {
        if (known === reading) known = undefined
      })
      known = reading
    }
    return known
  }

  async function read(): Promise<string> {
    client ??= awsClient(secretsManager)
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }))
    if (!SecretString) throw new ServiceUnavailable('Secrets Manager: the indexer key is empty')
    return SecretString.trim()
  }
}
