import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { localAccess } from '@player-nfts/local/aws/aws-access'
import { startAwsEndpoint } from '@player-nfts/local/aws/aws-endpoint'
import { provision } from '@player-nfts/local/aws/provision'
import { newFolder } from '../command-fixture.ts'
import { startFaultProxy } from '../proxies/fault-proxy.ts'
import { atFileEnd } from '../vitest/at-file-end.ts'

/** The embedded AWS of a test file, behind a proxy that counts requests and can make them fail. */
export type TestAws = Awaited<ReturnType<typeof startTestAws>>

export const issuer = 'https://login.example'

export const userJwtAudience = 'platform'

export const playerTokenAudience = 'games'

export const indexerKey = 'an indexer key'

/**
 * Starts an embedded AWS with all resources of the service, and sets the environment variables of
 * lib/settings for it. Must be awaited before an adapter is created. Ends with the test file.
 */
export async function startTestAws(dataDir: string = newFolder(atFileEnd)) {
  const endpoint = await startAwsEndpoint({ dataDir })
  atFileEnd(() => endpoint.close())
  const access = localAccess(endpoint.url, 'eu-central-1')
  const resources = await provision(access, indexerKey, 'table')
  const proxy = await startFaultProxy({ target: endpoint.url }, atFileEnd)
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: proxy.url,
    AWS_REGION: access.region,
    AWS_ACCESS_KEY_ID: access.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: access.credentials.secretAccessKey,
    TABLE_NAME: resources.tableName,
    QUEUE_URL: resources.queueUrl,
    PLAYER_DIGEST_KEY: resources.playerDigestKey,
    INDEXER_SECRET_ARN: resources.indexerSecretArn,
    PLAYER_TOKEN_KEY_ARNS: resources.playerTokenKeyArn,
    PLAYER_TOKEN_PUBLIC_KEYS: resources.playerTokenPublicKey,
    USER_JWT_KEY_ARNS: resources.userJwtKeyArn,
    ISSUER: issuer,
    USER_JWT_AUDIENCE: userJwtAudience,
    PLAYER_TOKEN_AUDIENCE: playerTokenAudience,
  })
  return { access, resources, proxy, interfere: proxy.interfere }
}

/** The public half of the key that the samples' login signs with, as the key of an external login. */
export async function loginPublicKey({ access, resources }: TestAws): Promise<string> {
  const kms = new KMSClient(access)
  const command = new GetPublicKeyCommand({ KeyId: resources.userJwtKeyArn })
  const { PublicKey = new Uint8Array() } = await kms.send(command)
  kms.destroy()
  return Buffer.from(PublicKey).toString('base64')
}
