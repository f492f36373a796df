import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { AwsError, accountId, type Call } from '../protocol.ts'
import type { StoredValue } from '../stored-value.ts'

export interface Key {
  keyId: string
  arn: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** PKCS #8. */
  privateKeyPem: string
}

type Alias = Pick<Key, 'keyId' | 'arn' | 'createdAt'> & { name: string }

export type Keys = StoredValue<{ keys: readonly Key[]; aliases: readonly Alias[] }>

export async function addKey(store: Keys, call: Call): Promise<Key> {
  const keyId = randomUUID()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key: Key = {
    keyId,
    arn: `arn:aws:kms:${call.region}:${accountId}:key/${keyId}`,
    createdAt: Date.now(),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  await store.change((value) => ({ ...value, keys: [...value.keys, key] }))
  return key
}

/** Creates an alias, `alias/…`, for an existing key. */
export async function addAlias(
  store: Keys,
  name: string,
  target: string,
  call: Call,
): Promise<void> {
  if (/(^|:)alias\//.test(target)) {
    throw new AwsError('ValidationException', 'Invalid TargetKeyId: an alias cannot be the target')
  }
  const { keyId } = findKey(store, target)
  const arn = `arn:aws:kms:${call.region}:${accountId}:${name}`
  await store.change((value) => {
    if (value.aliases.some((alias) => alias.name === name)) {
      throw new AwsError('AlreadyExistsException', `An alias with the name ${arn} already exists`)
    }
    return { ...value, aliases: [...value.aliases, { name, arn, keyId, createdAt: Date.now() }] }
  })
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
