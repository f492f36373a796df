import { randomBytes, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { type JsonStore, openJsonStore } from '../json-store.ts'
import { AwsError, accountId, action, type Call, type Service } from '../protocol.ts'

/** A value; exactly one of the two, `SecretBinary` in base64. */
const value = {
  SecretString: v.optional(v.pipe(v.string(), v.maxBytes(65_536))),
  SecretBinary: v.optional(v.pipe(v.string(), v.base64('expected base64'))),
}
const versionSchema = v.object({ versionId: v.string(), createdAt: v.number(), ...value })
const secretSchema = v.object({
  name: v.string(),
  arn: v.string(),
  description: v.string(),
  /** Milliseconds since 1970. */
  createdAt: v.number(),
  /** The newest first: AWSCURRENT, then AWSPREVIOUS; older ones are not kept. */
  versions: v.array(versionSchema),
})
const stateSchema = v.object({ secrets: v.array(secretSchema) })

type Version = v.InferOutput<typeof versionSchema>
type Secret = v.InferOutput<typeof secretSchema>
type State = JsonStore<v.InferOutput<typeof stateSchema>>

const secretId = { SecretId: v.pipe(v.string(), v.minLength(1), v.maxLength(2048)) }
const newValue = { ClientRequestToken: v.optional(v.string()), ...value }
const stages = ['AWSCURRENT', 'AWSPREVIOUS']

/** Secrets Manager, kept in `file`. Secrets go by name or by whole ARN. */
export function openSecretsManager(file: string): Service {
  const state = openJsonStore(file, stateSchema, { secrets: [] })
  return {
    prefix: 'secretsmanager',
    contentType: 'application/x-amz-json-1.1',
    actions: {
      CreateSecret: action(createInput, (input, call) => createSecret(state, input, call)),
      PutSecretValue: action(putInput, (input) => putSecretValue(state, input)),
      GetSecretValue: action(getInput, (input) => getSecretValue(state, input)),
    },
  }
}

const createInput = v.object({
  Name: v.pipe(v.string(), v.maxLength(512), v.regex(/^[\w/+=.@-]+$/)),
  Description: v.optional(v.pipe(v.string(), v.maxLength(2048)), ''),
  ...newValue,
})
type CreateInput = v.InferOutput<typeof createInput>

function createSecret(state: State, input: CreateInput, call: Call) {
  const name = input.Name
  const version = versionOf(input)
  const existing = state.value.secrets.find((secret) => secret.name === name)
  if (existing) {
    // The SDK repeats a call whose answer was lost under the same token.
    if (version && isStored(existing, version)) return written(existing, version)
    throw new AwsError('ResourceExistsException', `The secret ${name} already exists.`)
  }
  const suffix = randomBytes(3).toString('hex')
  const secret: Secret = {
    name,
    arn: `arn:aws:secretsmanager:${call.region}:${accountId}:secret:${name}-${suffix}`,
    description: input.Description,
    createdAt: Date.now(),
    versions: version ? [version] : [],
  }
  state.replace({ secrets: [...state.value.secrets, secret] })
  return written(secret, version)
}

const putInput = v.object({ ...secretId, ...newValue })

function putSecretValue(state: State, input: v.InferOutput<typeof putInput>) {
  const secret = findSecret(state, input.SecretId)
  const version = versionOf(input)
  if (!version) throw invalidRequest('Provide either SecretString or SecretBinary.')
  if (!isStored(secret, version)) {
    const versions = [version, ...secret.versions.slice(0, 1)]
    const { secrets } = state.value
    state.replace({
      secrets: secrets.map((each) => (each === secret ? { ...each, versions } : each)),
    })
  }
  return { ...written(secret, version), VersionStages: stages.slice(0, 1) }
}

const getInput = v.object({
  ...secretId,
  VersionId: v.optional(v.string()),
  VersionStage: v.optional(v.string()),
})

function getSecretValue(state: State, input: v.InferOutput<typeof getInput>) {
  const { SecretId, VersionId, VersionStage = VersionId ? undefined : 'AWSCURRENT' } = input
  const secret = findSecret(state, SecretId)
  const index = secret.versions.findIndex(
    ({ versionId }, index) =>
      (VersionId === undefined || versionId === VersionId) &&
      (VersionStage === undefined || stages[index] === VersionStage),
  )
  const version = secret.versions[index]
  if (!version) {
    throw notFound(
      `the specified secret value for ${VersionId ?? `staging label: ${VersionStage}`}.`,
    )
  }
  const { versionId, createdAt, ...content } = version
  return {
    ...written(secret, version),
    ...content,
    VersionStages: [stages[index]],
    CreatedDate: createdAt / 1000,
  }
}

function findSecret(state: State, id: string): Secret {
  const secret = state.value.secrets.find(({ name, arn }) => name === id || arn === id)
  if (!secret) throw notFound('the specified secret.')
  return secret
}

/** The version that a call brings, if it brings a value. */
function versionOf(input: v.InferOutput<v.ObjectSchema<typeof newValue, undefined>>) {
  const { ClientRequestToken, SecretString, SecretBinary } = input
  if (SecretString !== undefined && SecretBinary !== undefined) {
    throw invalidRequest('You cannot specify both SecretString and SecretBinary.')
  }
  if (SecretString === undefined && SecretBinary === undefined) return undefined
  const version: Version = {
    versionId: ClientRequestToken ?? randomUUID(),
    createdAt: Date.now(),
    ...(SecretString === undefined ? { SecretBinary } : { SecretString }),
  }
  return version
}

/** Whether the secret has this very version; the same version id with another value is refused. */
function isStored(secret: Secret, { versionId, SecretString, SecretBinary }: Version): boolean {
  const stored = secret.versions.find((version) => version.versionId === versionId)
  if (!stored) return false
  if (stored.SecretString === SecretString && stored.SecretBinary === SecretBinary) return true
  const message = `A version ${versionId} of the secret already exists with another value.`
  throw new AwsError('ResourceExistsException', message)
}

const written = ({ name, arn }: Secret, version: Version | undefined) => ({
  Name: name,
  ARN: arn,
  ...(version && { VersionId: version.versionId }),
})

const notFound = (what: string) =>
  new AwsError('ResourceNotFoundException', `Secrets Manager can't find ${what}`)

const invalidRequest = (message: string) => new AwsError('InvalidRequestException', message)
