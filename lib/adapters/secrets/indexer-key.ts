import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { ServiceUnavailable } from '../../domain/failures.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { indexerSettings } from '../../settings/environment.ts'
import { clientOptions, withServiceFailures } from '../aws-client.ts'
import type { IndexerKey } from '../indexer-key.ts'
import { jsonProtocol } from '../json-protocol.ts'

/** The indexer's key in Secrets Manager, cached for the life of the container. */
export function secretsIndexerKey(): IndexerKey {
  const { secretArn } = indexerSettings()
  const protocol = jsonProtocol({ target: 'secretsmanager', version: '1.1' })
  const client = withServiceFailures(
    'Secrets Manager',
    new SecretsManagerClient({ ...clientOptions(), protocol }),
  )
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
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }))
    if (!SecretString) throw new ServiceUnavailable('Secrets Manager: the indexer key is empty')
    return SecretString.trim()
  }
}
