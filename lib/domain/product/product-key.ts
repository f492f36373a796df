import type { Branded } from '../branded.ts'
import type { ProductId } from './product.ts'

/** The identity of an API key: public, and part of the key's text unless the key is a UUID (D46). */
export type KeyId = Branded<'KeyId'>

/** The length of the identity of an API key, which consists of digits and Latin letters. */
export const keyIdLength = 12

const keyIdForm = new RegExp(`^[0-9A-Za-z]{${keyIdLength}}$`)

/** Whether a text has the form of the identity of an API key. No key has an identity of another form (D46). */
export const isKeyId = (text: string): text is KeyId => keyIdForm.test(text)

/** What a key permits: everything, or reading players' NFTs only (D46). */
export type Scope = 'MANAGE' | 'READ'

/** An API key as the product lists it. The key itself is known to its owner only (D9). */
export interface ProductKey {
  keyId: KeyId
  /** The SHA-256 digest of the key, in hexadecimal. */
  digest: string
  scope: Scope
  label: string
  last4: string
  createdAt: string
  /** The time at which the key ends; absent for a key without an end. */
  endsAt?: string
  isRotated?: true
  /** The day of the latest use: `yyyy-mm-dd`, in UTC. */
  lastUsedOn?: string
}

export interface EndedKey extends ProductKey {
  endedAt: string
  /** By a call, at its end, or at the end of the overlap with the key that replaced it (D46). */
  endReason: 'deleted' | 'expired' | 'rotated'
}

/** The product to which an API key belongs. It never changes, and permits nothing by itself. */
export interface KeyReference {
  productId: ProductId
  keyId: KeyId
}

export const registrationKeyLabel = 'Registration'

/** The maximum number of keys of a product that work at the same time (D46). */
export const maxKeysPerProduct = 50

/** How long an ended key is listed, in days (D46). */
export const endedKeyDays = 90

/** The longest time in which a key and the key that replaces it both work, and the default, in seconds (D46). */
export const maxOverlapSeconds = 2_592_000
export const defaultOverlapSeconds = 86_400

export const atItsEnd = (key: ProductKey): EndedKey => ({
  ...key,
  endedAt: key.endsAt ?? key.createdAt,
  endReason: key.isRotated ? 'rotated' : 'expired',
})

/** Whether a key works at a time, in milliseconds since 1970. */
export const works = ({ endsAt }: ProductKey, now: number): boolean =>
  endsAt === undefined || now < Date.parse(endsAt)
