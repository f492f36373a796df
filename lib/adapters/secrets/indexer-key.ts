import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { ServiceUnavailable } from '../../domain/failures.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { indexerSettings } from '../../settings/indexer.ts'
import { clientOptions, withServiceFailures } from '../aws-client.ts'
import type { IndexerKey } from '../indexer-key.ts'
import { type JsonService, jsonProtocol } from '../json-protocol.ts'

const secretsManager: JsonService = {
  target: 'secretsmanager',
  version: '1.1',
  bytes: ['SecretBinary'],
}

/** A Secrets Manager client with the options of every AWS client in the functions. */
export const secretsManagerClient = (): SecretsManagerClient => {
  const options = { ...clientOptions(), protocol: jsonProtocol(secretsManager) }
  return withServiceFailures('Secrets Manager', new SecretsManagerClient(options))
}

/** The indexer's key in Secrets Manager, cached for the life of the container. */
export function secretsIndexerKey(): IndexerKey {
  const { secretArn } = indexerSettings()
  // A container that asks the indexer nothing needs no client.
  let client: SecretsManagerClient | undefined
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
    client ??= secretsManagerClient()
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }))
    if (!SecretString) throw new ServiceUnavailable('Secrets Manager: the indexer key is empty')
    return SecretString.trim()
  }
}
