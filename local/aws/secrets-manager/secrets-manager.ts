import { randomBytes, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { JsonFiles } from '../json-files.ts'
import { type JsonStore, openJsonStore } from '../json-store.ts'
import { AwsError, accountId, action, type Call, type Service } from '../protocol.ts'

const secretString = v.pipe(v.string(), v.maxBytes(65_536))
const versionSchema = v.object({
  versionId: v.string(),
  /** In milliseconds since 1970. */
  createdAt: v.number(),
  SecretString: secretString,
})
const secretSchema = v.object({
  name: v.string(),
  arn: v.string(),
  description: v.string(),
  createdAt: v.number(),
  /** The current version, or nothing. Older versions are not kept. */
  versions: v.array(versionSchema),
})
const stateSchema = v.object({ secrets: v.array(secretSchema) })

type Version = v.InferOutput<typeof versionSchema>
type Secret = v.InferOutput<typeof secretSchema>
type State = JsonStore<v.InferOutput<typeof stateSchema>>

const secretId = { SecretId: v.pipe(v.string(), v.minLength(1), v.maxLength(2048)) }
const clientRequestToken = { ClientRequestToken: v.optional(v.string(), () => randomUUID()) }

/**
 * Secrets Manager for the current versions of secrets with text, kept in `secrets-manager.json`. Callers identify secrets by
 * name or complete ARN. Rejects parameters that it does not support.
 */
export function openSecretsManager(files: JsonFiles): Service {
  const state = openJsonStore(files, 'secrets-manager.json', stateSchema, { secrets: [] })
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
  Description: v.optional(v.pipe(v.string(), v.maxLength(2048)), ''),
  SecretString: v.optional(secretString),
  ...clientRequestToken,
})

function createSecret(state: State, input: v.InferOutput<typeof createInput>, call: Call) {
  const { Name: name, Description, SecretString, ClientRequestToken: versionId } = input
  const createdAt = Date.now()
  const version = SecretString === undefined ? undefined : { versionId, createdAt, SecretString }
  const existing = state.value.secrets.find((secret) => secret.name === name)
  if (existing) {
    // The SDK retries a call whose response was lost with the same token.
    if (version && isStored(existing, version)) return identifiersOf(existing, version)
    throw new AwsError('ResourceExistsException', `The secret ${name} already exists.`)
  }
  const suffix = randomBytes(3).toString('hex')
  const secret: Secret = {
    name,
    arn: `arn:aws:secretsmanager:${call.region}:${accountId}:secret:${name}-${suffix}`,
    description: Description,
    createdAt,
    versions: version ? [version] : [],
  }
  state.replace({ secrets: [...state.value.secrets, secret] })
  return identifiersOf(secret, version)
}

const putInput = v.strictObject({
  ...secretId,
  SecretString: secretString,
  ...clientRequestToken,
})

function putSecretValue(state: State, input: v.InferOutput<typeof putInput>) {
  const { SecretId, SecretString, ClientRequestToken: versionId } = input
  const secret = findSecret(state, SecretId)
  const version: Version = { versionId, createdAt: Date.now(), SecretString }
  if (!isStored(secret, version)) {
    const { secrets } = state.value
    state.replace({
      secrets: secrets.map((each) => (each === secret ? { ...each, versions: [version] } : each)),
    })
  }
  return { ...identifiersOf(secret, version), VersionStages: ['AWSCURRENT'] }
}

function getSecretValue(state: State, { SecretId }: { SecretId: string }) {
  const secret = findSecret(state, SecretId)
  const [version] = secret.versions
  if (!version) throw notFound('the specified secret value for staging label: AWSCURRENT.')
  return {
    ...identifiersOf(secret, version),
    SecretString: version.SecretString,
    VersionStages: ['AWSCURRENT'],
    CreatedDate: version.createdAt / 1000,
  }
}

function findSecret(state: State, id: string): Secret {
  const secret = state.value.secrets.find(({ name, arn }) => name === id || arn === id)
  if (!secret) throw notFound('the specified secret.')
  return secret
}

/** Returns whether this version is the current one. Throws if that has the same id and another value. */
function isStored(secret: Secret, { versionId, SecretString }: Version): boolean {
  const [current] = secret.versions
  if (current?.versionId !== versionId) return false
  if (current.SecretString === SecretString) return true
  const message = `A version ${versionId} of the secret already exists with another value.`
  throw new AwsError('ResourceExistsException', message)
}

const identifiersOf = ({ name, arn }: Secret, version: Version | undefined) => ({
  Name: name,
  ARN: arn,
  ...(version && { VersionId: version.versionId }),
})

const notFound = (what: string) =>
  new AwsError('ResourceNotFoundException', `Secrets Manager can't find ${what}`)
