import { InvalidApiKey } from '../credential-failures.ts'
import {
  KeyEnded,
  KeyNotFound,
  LastKey,
  ServiceUnavailable,
  TooManyKeys,
  unlessUnavailable,
} from '../failures.ts'
import type { KeyChange, ProductAccess, ProductKeys } from '../ports/products.ts'
import {
  atItsEnd,
  type EndedKey,
  isKeyId,
  type KeyId,
  maxKeysPerProduct,
  type ProductKey,
  works,
} from './product-key.ts'
import type { StoredProduct } from './stored-product.ts'

export interface KeyPorts {
  productAccess: ProductAccess
  productKeys: ProductKeys
}

/** A new key, before it is stored: everything but the time of its creation. */
type NewKey = Omit<ProductKey, 'createdAt' | 'lastUsedOn'>

interface Decision {
  add?: ProductKey
  /** A key whose end a rotation moves. */
  limit?: ProductKey
  end?: EndedKey
}

/** Adds a key to a product (D46). Throws TooManyKeys. */
export async function createKey(
  product: StoredProduct,
  key: NewKey,
  changeId: string,
  ports: KeyPorts,
): Promise<ProductKey> {
  const { add } = await changeKeys(product, changeId, ports, async (now) => ({
    add: { ...key, createdAt: new Date(now).toISOString() },
  }))
  return add
}

/**
 * Ends a key with the next request (D46). Throws KeyNotFound, for a text of another form without a read, KeyEnded or
 * LastKey.
 */
export async function endKey(
  product: StoredProduct,
  identity: string,
  changeId: string,
  ports: KeyPorts,
): Promise<EndedKey> {
  const keyId = keyIdOf(identity)
  const { end } = await changeKeys(
    product,
    changeId,
    ports,
    async (now, current): Promise<{ end: EndedKey }> => {
      const key = await workingKey(current, keyId, now, ports)
      return { end: { ...key, endedAt: new Date(now).toISOString(), endReason: 'deleted' } }
    },
  )
  return end
}

/**
 * Adds a key with the label and scope of the key with this identity, which ends after `overlapSeconds`, or earlier if
 * it has an earlier end (D46). Throws KeyNotFound, for a text of another form without a read, KeyEnded, LastKey or
 * TooManyKeys.
 */
export async function rotateKey(
  product: StoredProduct,
  identity: string,
  { overlapSeconds, ...key }: Omit<NewKey, 'label' | 'scope'> & { overlapSeconds: number },
  changeId: string,
  ports: KeyPorts,
): Promise<ProductKey> {
  const keyId = keyIdOf(identity)
  const { add } = await changeKeys(
    product,
    changeId,
    ports,
    async (now, current): Promise<Decision & { add: ProductKey }> => {
      const old = await workingKey(current, keyId, now, ports)
      const { label, scope } = old
      const add = { ...key, label, scope, createdAt: new Date(now).toISOString() }
      const endsAt = new Date(now + overlapSeconds * 1000).toISOString()
      if (overlapSeconds === 0) {
        return {
          add,
          end: { ...old, endsAt, isRotated: true, endedAt: endsAt, endReason: 'rotated' },
        }
      }
      const isLater = old.endsAt !== undefined && old.endsAt <= endsAt
      return isLater ? { add } : { add, limit: { ...old, endsAt, isRotated: true } }
    },
  )
  return add
}

function keyIdOf(identity: string): KeyId {
  if (!isKeyId(identity)) throw new KeyNotFound()
  return identity
}

async function workingKey(
  { productId, keys }: StoredProduct,
  keyId: KeyId,
  now: number,
  { productKeys }: KeyPorts,
): Promise<ProductKey> {
  const key = keys.find((key) => key.keyId === keyId)
  if (key && works(key, now)) return key
  const ended = key ? atItsEnd(key) : await productKeys.findEnded(productId, keyId)
  if (!ended) throw new KeyNotFound()
  // The request that ended the key may have died before.
  if (!key) await productKeys.cleanUp(productId, ended)
  throw new KeyEnded()
}

/** The maximum number of attempts while other requests change the same set of keys. */
const changeAttempts = 8

/**
 * Decides and makes a change of a product's keys. If another request has changed the keys meanwhile, it
 * reads them again and decides anew, so that two requests cannot end the last key together. Before the one
 * write that changes the set, everything that the change needs is stored but counts for nothing.
 */
async function changeKeys<Decided extends Decision>(
  first: StoredProduct,
  changeId: string,
  ports: KeyPorts,
  decide: (now: number, current: StoredProduct) => Promise<Decided>,
): Promise<Decided> {
  const { productKeys } = ports
  const { productId } = first
  let current = first
  for (let attempt = 0; attempt < changeAttempts; attempt += 1) {
    const now = Date.now()
    const decision = await decide(now, current)
    checkKeys(current, decision, now)
    const { add, limit, end }: Decision = decision
    const passed = current.keys.filter((key) => !works(key, now)).map(atItsEnd)
    const ended = end ? [...passed, end] : passed
    for (const key of ended) await productKeys.recordEnd(productId, key)
    if (add) await productKeys.store(productId, add)
    const change: KeyChange = { changeId, add, limit, remove: ended.map(({ keyId }) => keyId) }
    const isChanged = await productKeys.change(current, change)
    if (!isChanged) current = await readAgain(current, ports)
    // The change was made, but its response was lost, and the AWS SDK repeated it.
    if (isChanged || current.keysChangeId === changeId) {
      await cleanUp(current, ended, productKeys)
      return decision
    }
  }
  throw new ServiceUnavailable('the keys of a product were changed over and over')
}

/** A key that has ended is ended, even if not everything of it can be deleted now. */
async function cleanUp(
  { productId }: StoredProduct,
  ended: readonly EndedKey[],
  productKeys: ProductKeys,
): Promise<void> {
  for (const key of ended) await productKeys.cleanUp(productId, key).catch(unlessUnavailable)
}

async function readAgain({ productId }: StoredProduct, { productAccess }: KeyPorts) {
  const product = await productAccess.get(productId)
  if (!product || product.endedAt !== undefined) throw new InvalidApiKey('product_deleted')
  return product
}

/** Throws TooManyKeys or LastKey if a product would have too many or too few keys. */
function checkKeys({ keys }: StoredProduct, { add, limit, end }: Decision, now: number): void {
  const before = keys.filter((key) => works(key, now))
  const kept = before
    .filter(({ keyId }) => keyId !== end?.keyId)
    .map((key) => (key.keyId === limit?.keyId ? limit : key))
  const after = add ? [...kept, add] : kept
  if (add && after.length > maxKeysPerProduct) throw new TooManyKeys(maxKeysPerProduct)
  if (before.some(isPermanent) && !after.some(isPermanent)) throw new LastKey()
}

const isPermanent = ({ scope, endsAt }: ProductKey): boolean =>
  scope === 'MANAGE' && endsAt === undefined
