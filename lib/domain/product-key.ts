import type { ProductId } from './product.ts'

/** The identity of an API key: public, and part of the key's text unless the key is a UUID (D46). */
export type KeyId = string & { readonly __brand: 'KeyId' }

/** What a key permits: everything, or reading players' NFTs only (D46). */
export type Scope = 'MANAGE' | 'READ'

/** An API key as the product lists it. The key itself is known to its owner only (D9). */
export interface ProductKey {
  keyId: KeyId
  /** The SHA-256 digest of the key, in hexadecimal. */
  digest: string
  scope: Scope
  label: string
  /** The last four characters of the key; `null` for a key from before keys were listed. */
  last4: string | null
  createdAt: string
  /** The time at which the key ends; absent for a key without an end. */
  endsAt?: string
  /** The day of the latest use: `yyyy-mm-dd`, in UTC. */
  lastUsedOn?: string
}

/** The product to which the digest of an API key belongs. It never changes, and permits nothing by itself. */
export interface KeyReference {
  productId: ProductId
  keyId: KeyId
  digest: string
  /** Whether the key is from before keys were listed: its product lists it from its first use (D46). */
  isUnlisted?: true
}

/** The label of the key that registration returns. */
export const registrationKeyLabel = 'Registration'

/** Whether a key works at a time, in milliseconds since 1970. */
export const works = ({ endsAt }: ProductKey, now: number): boolean =>
  endsAt === undefined || now < Date.parse(endsAt)
