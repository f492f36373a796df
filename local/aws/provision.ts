import { randomBytes } from 'node:crypto'
import { DynamoDB, waitUntilTableExists } from '@aws-sdk/client-dynamodb'
import { KMS } from '@aws-sdk/client-kms'
import { SecretsManager } from '@aws-sdk/client-secrets-manager'
import { SQS } from '@aws-sdk/client-sqs'
import type { AwsAccess } from './aws-access.ts'

/** The names of the resources, on this machine and elsewhere. Key aliases include the prefix `alias/`. */
export const resourceNames = {
  table: 'player-nfts-local',
  queue: 'player-nfts-local-work',
  webhookQueue: 'player-nfts-local-webhooks',
  webhookTestQueue: 'player-nfts-local-webhook-tests',
  userJwtKeyAlias: 'alias/player-nfts-local-user-jwt',
  playerTokenKeyAlias: 'alias/player-nfts-local-player-token',
  indexerSecret: 'player-nfts-local/indexer-key',
  playerDigestSecret: 'player-nfts-local/player-digest-key',
  signInSecret: 'player-nfts-local/sign-in',
  webhookSecret: 'player-nfts-local/webhooks',
}

/** How the functions address the resources. */
export type Resources = Awaited<ReturnType<typeof provision>>

/**
 * Creates the missing resources of the service (table, queues, keys, secrets) and waits until they can be
 * used, on this machine or elsewhere. It is safe to repeat, also after a crash. Existing resources stay
 * as they are, except for the attributes of the queue and the key for the indexer. Rejects with one
 * sentence if AWS cannot be reached.
 */
export async function provision(
  aws: AwsAccess,
  indexerKey: string,
  table: string = resourceNames.table,
) {
  const names = resourceNames
  const bounded = { ...aws, requestHandler: bounds }
  const dynamodb = new DynamoDB(bounded)
  const kms = new KMS(bounded)
  const sqs = new SQS(bounded)
  const secretsManager = new SecretsManager(bounded)
  try {
    const playerTokenKey = provideKey(kms, names.playerTokenKeyAlias)
    return await valuesOf({
      tableName: provideTable(dynamodb, table),
      queueUrl: provideWorkQueue(sqs, names.queue),
      webhookQueueUrl: provideWebhookQueue(sqs, names.webhookQueue, 14 * 86_400),
      webhookTestQueueUrl: provideWebhookQueue(sqs, names.webhookTestQueue, 60),
      userJwtKeyArn: provideKey(kms, names.userJwtKeyAlias),
      playerTokenKeyArn: playerTokenKey,
      /** The base64 of the key's DER SubjectPublicKeyInfo, as a deployment passes it on to its functions (D74). */
      playerTokenPublicKey: playerTokenKey.then((arn) => publicKeyOf(kms, arn)),
      indexerSecretArn: provideSecret(secretsManager, names.indexerSecret, indexerKey),
      /** The key itself, as a deployment passes it on to its functions (D72). */
      playerDigestKey: provideRandomSecret(secretsManager, names.playerDigestSecret),
      /** The secret itself (D97). */
      signInSecret: provideRandomSecret(secretsManager, names.signInSecret),
      /** The secret itself (D123). */
      webhookSecret: provideRandomSecret(secretsManager, names.webhookSecret),
    })
  } catch (error) {
    throw explained(error, aws.endpoint)
  } finally {
    for (const client of [dynamodb, kms, sqs, secretsManager]) client.destroy()
  }
}

/** The values of promises, by their names. */
async function valuesOf<Name extends string>(promises: Record<Name, Promise<string>>) {
  const entries = Object.entries<Promise<string>>(promises)
  const values = entries.map(async ([name, promise]) => [name, await promise])
  return Object.fromEntries(await Promise.all(values)) as Record<Name, string>
}

/** An endpoint that accepts connections and never responds must not look like a slow start. */
const bounds = { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true }

async function provideTable(dynamodb: DynamoDB, table: string): Promise<string> {
  const created = dynamodb.createTable({
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
  })
  await unless('ResourceInUseException', created)
  const waiting = { client: dynamodb, minDelay: 1, maxDelay: 5, maxWaitTime: 120 }
  await waitUntilTableExists(waiting, { TableName: table })
  // dynalite has no TTL, so that expired items stay.
  await unless('UnknownOperationException', provideTimeToLive(dynamodb, table))
  return table
}

async function provideTimeToLive(dynamodb: DynamoDB, table: string): Promise<void> {
  const described = await dynamodb.describeTimeToLive({ TableName: table })
  const { TimeToLiveStatus: status = 'DISABLED' } = described.TimeToLiveDescription ?? {}
  // Enabling it again is an error.
  if (status === 'ENABLED' || status === 'ENABLING') return
  const TimeToLiveSpecification = { AttributeName: 'expiresAt', Enabled: true }
  await dynamodb.updateTimeToLive({ TableName: table, TimeToLiveSpecification })
}

async function provideWorkQueue(sqs: SQS, name: string): Promise<string> {
  const deadLettersUrl = await provideQueue(sqs, `${name}-dead-letters`)
  const asked = { QueueUrl: deadLettersUrl, AttributeNames: ['QueueArn' as const] }
  const { QueueArn: deadLetterTargetArn } = (await sqs.getQueueAttributes(asked)).Attributes ?? {}
  const QueueUrl = await provideQueue(sqs, name)
  const Attributes = {
    VisibilityTimeout: '90',
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 5 }),
  }
  await sqs.setQueueAttributes({ QueueUrl, Attributes })
  return QueueUrl
}

async function provideWebhookQueue(sqs: SQS, name: string, keptSeconds: number): Promise<string> {
  const QueueUrl = await provideQueue(sqs, name)
  const Attributes = { VisibilityTimeout: '120', MessageRetentionPeriod: `${keptSeconds}` }
  await sqs.setQueueAttributes({ QueueUrl, Attributes })
  return QueueUrl
}

async function provideQueue(sqs: SQS, QueueName: string): Promise<string> {
  const found = await unless('QueueDoesNotExist', sqs.getQueueUrl({ QueueName }))
  const { QueueUrl } = found ?? (await sqs.createQueue({ QueueName }))
  return present(QueueUrl, `the URL of the queue ${QueueName}`)
}

async function provideKey(kms: KMS, alias: string): Promise<string> {
  const describe = async () => (await kms.describeKey({ KeyId: alias })).KeyMetadata
  const key =
    (await unless('NotFoundException', describe())) ?? (await makeKey(kms, alias, describe))
  if (key?.KeySpec !== 'ECC_NIST_P256' || key.KeyUsage !== 'SIGN_VERIFY') {
    throw new Error(`The key behind ${alias} is not an ECC_NIST_P256 key to SIGN_VERIFY`)
  }
  return present(key.Arn, `the ARN of the key behind ${alias}`)
}

async function makeKey<T>(kms: KMS, alias: string, describeTheirs: () => Promise<T>) {
  const specification = { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' } as const
  const { KeyMetadata } = await kms.createKey(specification)
  const naming = kms.createAlias({ AliasName: alias, TargetKeyId: KeyMetadata?.KeyId })
  // If another process has created the alias in the meantime, its key is used and this key is not.
  const named = await unless('AlreadyExistsException', naming)
  return named ? KeyMetadata : describeTheirs()
}

async function publicKeyOf(kms: KMS, KeyId: string): Promise<string> {
  const { PublicKey } = await kms.getPublicKey({ KeyId })
  return Buffer.from(present(PublicKey, `the public key of ${KeyId}`)).toString('base64')
}

async function provideSecret(
  secretsManager: SecretsManager,
  name: string,
  text: string,
): Promise<string> {
  const found = await readSecret(secretsManager, name)
  if (found?.SecretString === text) return present(found.ARN, `the ARN of the secret ${name}`)
  const create = { Name: name, SecretString: text }
  const created = found
    ? undefined
    : await unless('ResourceExistsException', secretsManager.createSecret(create))
  const put = { SecretId: name, SecretString: text }
  const { ARN } = created ?? (await secretsManager.putSecretValue(put))
  return present(ARN, `the ARN of the secret ${name}`)
}

/** Returns the text of a secret, which is random if the secret did not exist. */
async function provideRandomSecret(secretsManager: SecretsManager, name: string): Promise<string> {
  const read = async () => (await readSecret(secretsManager, name))?.SecretString
  const found = await read()
  if (found !== undefined) return found
  const text = randomBytes(32).toString('base64url')
  const creating = secretsManager.createSecret({ Name: name, SecretString: text })
  const created = await unless('ResourceExistsException', creating)
  // If another process has created the secret in the meantime, its text is used and this text is not.
  return created ? text : present(await read(), `the text of the secret ${name}`)
}

const readSecret = (secretsManager: SecretsManager, name: string) =>
  unless('ResourceNotFoundException', secretsManager.getSecretValue({ SecretId: name }))

/** Returns the result of `call`, or `undefined` if it fails with the error of that name. */
async function unless<T>(errorName: string, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Error && error.name === errorName) return undefined
    throw error
  }
}

function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`AWS did not answer ${what}`)
  return value
}

const unreachableCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
]

function explained(error: unknown, endpoint: string | undefined): unknown {
  const { code = '', name } = error as NodeJS.ErrnoException
  if (!unreachableCodes.includes(code) && name !== 'TimeoutError') return error
  const { AWS_ENDPOINT_URL } = process.env
  const place = endpoint ?? AWS_ENDPOINT_URL ?? 'its own address'
  return new Error(`AWS cannot be reached at ${place} (${code || name})`, { cause: error })
}
