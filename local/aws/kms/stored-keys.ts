import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { JsonFiles } from '../json-files.ts'
import { type JsonStore, openJsonStore } from '../json-store.ts'
import { AwsError, accountId, type Call } from '../protocol.ts'

const keySchema = v.object({
  keyId: v.string(),
  arn: v.string(),
  description: v.string(),
  /** Milliseconds since 1970. */
  createdAt: v.number(),
  /** PKCS #8. */
  privateKeyPem: v.string(),
})
const aliasSchema = v.object({
  name: v.string(),
  arn: v.string(),
  keyId: v.string(),
  createdAt: v.number(),
})
const keysSchema = v.object({ keys: v.array(keySchema), aliases: v.array(aliasSchema) })

export type Key = v.InferOutput<typeof keySchema>
export type Alias = v.InferOutput<typeof aliasSchema>
export type Keys = JsonStore<v.InferOutput<typeof keysSchema>>

/** Opens the keys in the file `name`. Throws if a private key cannot be parsed. */
export function openKeys(files: JsonFiles, name: string): Keys {
  const store = openJsonStore(files, name, keysSchema, { keys: [], aliases: [] })
  for (const { keyId, privateKeyPem } of store.value.keys) {
    try {
      createPrivateKey(privateKeyPem)
    } catch {
      throw files.damaged(name, `the private key of ${keyId} does not parse`)
    }
  }
  return store
}

/** Creates a P-256 key. */
export function addKey(store: Keys, description: string, call: Call): Key {
  const keyId = randomUUID()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key: Key = {
    keyId,
    arn: `arn:aws:kms:${call.region}:${accountId}:key/${keyId}`,
    description,
    createdAt: Date.now(),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  store.replace({ ...store.value, keys: [...store.value.keys, key] })
  return key
}

/** Creates an alias, `alias/…`, for an existing key. */
export function addAlias(store: Keys, name: string, target: string, call: Call): void {
  if (/(^|:)alias\//.test(target)) {
    throw new AwsError('ValidationException', 'Invalid TargetKeyId: an alias cannot be the target')
  }
  const { keyId } = findKey(store, target)
  const arn = `arn:aws:kms:${call.region}:${accountId}:${name}`
  const { aliases } = store.value
  if (aliases.some((alias) => alias.name === name)) {
    throw new AwsError('AlreadyExistsException', `An alias with the name ${arn} already exists`)
  }
  const alias: Alias = { name, arn, keyId, createdAt: Date.now() }
  store.replace({ ...store.value, aliases: [...aliases, alias] })
}

/** Returns the key for a key id, key ARN, alias name or alias ARN. Throws a NotFoundException if there is none. */
export function findKey(store: Keys, id: string): Key {
  const { keys, aliases } = store.value
  const alias = aliases.find(({ name, arn }) => name === id || arn === id)
  const wanted = alias?.keyId ?? id
  const key = keys.find(({ keyId, arn }) => keyId === wanted || arn === wanted)
  if (key) return key
  const message = id.includes('alias/') ? `Alias ${id} is not found.` : `Key '${id}' does not exist`
  throw new AwsError('NotFoundException', message)
}
