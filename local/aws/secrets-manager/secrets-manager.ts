import { randomBytes, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { Entries } from '../entries.ts'
import { AwsError, accountId, action, type Call, type Service } from '../protocol.ts'
import { openStoredValue, type StoredValue } from '../stored-value.ts'

/** The current version; older versions are not kept. */
interface Version {
  versionId: string
  /** In milliseconds since 1970. */
  createdAt: number
  SecretString: string
}

interface Secret {
  name: string
  arn: string
  version: Version
}

type State = StoredValue<readonly Secret[]>

const secretString = v.pipe(v.string(), v.maxBytes(65_536))
const secretId = { SecretId: v.pipe(v.string(), v.minLength(1), v.maxLength(2048)) }
const clientRequestToken = { ClientRequestToken: v.optional(v.string(), () => randomUUID()) }

/**
 * Secrets Manager for the current versions of secrets with text, kept in entries. Callers identify secrets by
 * name or complete ARN. Rejects parameters that it does not support.
 */
export async function openSecretsManager(entries: Entries): Promise<Service> {
  const state: State = await openStoredValue(entries, 'secrets-manager', [])
  return {
    prefix: 'secretsmanager',
    contentType: 'application/x-amz-json-1.1',
    actions: {
      CreateSecret: action(createInput, (input, call) => createSecret(state, input, call)),
      PutSecretValue: action(putInput, (input) => putSecretValue(state, input)),
      GetSecretValue: action(v.strictObject(secretId), (input) => getSecretValue(state, input)),
    },
  }
}

const createInput = v.strictObject({
  Name: v.pipe(v.string(), v.maxLength(512), v.regex(/^[\w/+=.@-]+$/)),
  Description: v.optional(v.pipe(v.string(), v.maxLength(2048))),
  SecretString: secretString,
  ...clientRequestToken,
})

async function createSecret(state: State, input: v.InferOutput<typeof createInput>, call: Call) {
  const { Name: name, SecretString, ClientRequestToken: versionId } = input
  const version = versionOf(versionId, SecretString)
  const suffix = randomBytes(3).toString('hex')
  const arn = `arn:aws:secretsmanager:${call.region}:${accountId}:secret:${name}-${suffix}`
  await state.change((secrets) => {
    if (secrets.every((secret) => secret.name !== name)) return [...secrets, { name, arn, version }]
    throw new AwsError('ResourceExistsException', `The secret ${name} already exists.`)
  })
  return identifiersOf(findSecret(state.value, name))
}

const putInput = v.strictObject({
  ...secretId,
  SecretString: secretString,
  ...clientRequestToken,
})

async function putSecretValue(state: State, input: v.InferOutput<typeof putInput>) {
  const { SecretId, SecretString, ClientRequestToken: versionId } = input
  const version = versionOf(versionId, SecretString)
  await state.change((secrets) => {
    const secret = findSecret(secrets, SecretId)
    return secrets.map((each) => (each === secret ? { ...each, version } : each))
  })
  return { ...identifiersOf(findSecret(state.value, SecretId)), VersionStages: ['AWSCURRENT'] }
}

const versionOf = (versionId: string, SecretString: string): Version => ({
  versionId,
  createdAt: Date.now(),
  SecretString,
})

function getSecretValue(state: State, { SecretId }: { SecretId: string }) {
  const secret = findSecret(state.value, SecretId)
  return {
    ...identifiersOf(secret),
    SecretString: secret.version.SecretString,
    VersionStages: ['AWSCURRENT'],
    CreatedDate: secret.version.createdAt / 1000,
  }
}

function findSecret(secrets: readonly Secret[], id: string): Secret {
  const secret = secrets.find(({ name, arn }) => name === id || arn === id)
  if (secret) return secret
  const message = "Secrets Manager can't find the specified secret."
  throw new AwsError('ResourceNotFoundException', message)
}

const identifiersOf = ({ name, arn, version: { versionId } }: Secret) => ({
  Name: name,
  ARN: arn,
  VersionId: versionId,
})
