import { randomUUID } from 'node:crypto'
import { apiKeyDigest, newKeyId } from '../../lib/adapters/dynamodb/api-keys.ts'
import { allowedKey, bindingPartition } from '../../lib/adapters/dynamodb/keys/binding-partition.ts'
import type { Key } from '../../lib/adapters/dynamodb/keys/key.ts'
import {
  contractKey,
  eventKey,
  keyRecordsOf,
  productKey,
  refreshKey,
} from '../../lib/adapters/dynamodb/keys/product-partition.ts'
import { apiKeyKey } from '../../lib/adapters/dynamodb/keys/single-items.ts'
import { example } from '../../lib/contract/documentation.ts'
import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import { toAddress } from '../../lib/domain/nft/address.ts'
import type { BindingId } from '../../lib/domain/nft/nft.ts'
import type { ApiKey, ProductId } from '../../lib/domain/product/product.ts'
import { type Item, keyOf, type MemoryTable } from '../stubs/memory-table.ts'

/** A product in the table with its only contract, {@link collection}. */
export interface SeededProduct {
  productId: string
  apiKey: string
  /** A key of a product of this service that is not in use. */
  furtherKeyId?: string
  /** Restores the product, the contract and its allowlist, without a refresh, an event or a record of a key. */
  restore(): void
}

export const chain = 'POLYGON'

/** The contract of the NFTs in the wallets, and of the examples of the OpenAPI document. */
export const collection = toAddress(example.contracts.gear)

/** The token identifiers from 1 to a number. */
export const tokenIds = (count: number): TokenId[] =>
  Array.from({ length: count }, (_, index) => `${index + 1}` as TokenId)

const profile = {
  name: { S: 'Lanterns of Brindlewake' },
  contactEmail: { S: 'studio@brindlewake.example' },
  companyName: { S: 'Gull Harbour Games' },
}
const description = { S: 'The keepers of the lamps.' }
const createdAt = { S: '2026-11-01T00:00:00.000Z' }

/** A key that was used today already: its next use writes nothing. */
const usedKey = (digest: string): Item => ({
  digest: { S: digest },
  scope: { S: 'MANAGE' },
  label: { S: 'Registration' },
  last4: { S: '3a1f' },
  createdAt,
  lastUsedOn: { S: new Date().toISOString().slice(0, 10) },
})

/**
 * Puts a product into the table, with one contract under which the token identifiers from 1 to `size` are allowlisted, and at whose
 * hosts players sign in.
 */
export function seedProduct(
  table: MemoryTable,
  size: number,
  signInDomains: readonly string[] = [],
): SeededProduct {
  const address = collection
  const productId = randomUUID() as string as ProductId
  const bindingId = randomUUID() as string as BindingId
  const apiKey = randomUUID() as string as ApiKey
  const digest = apiKeyDigest(apiKey)
  const keyId = newKeyId()
  const ids = { productId: { S: productId }, keyId: { S: keyId } }
  table.put({ ...itemKey(apiKeyKey(digest)), ...ids, createdAt })
  const furtherKeyId = newKeyId()
  const furtherKey = usedKey(apiKeyDigest(randomUUID() as string as ApiKey))
  const keys = { M: { [keyId]: { M: usedKey(digest) }, [furtherKeyId]: { M: furtherKey } } }
  const hosts = { L: signInDomains.map((domain) => ({ S: domain })) }
  const signingIn = {
    signIn: { BOOL: true },
    ...(signInDomains.length > 0 && { signInDomains: hosts }),
  }
  const product = { ...profile, createdAt, keys, keysVersion: { N: '1' }, ...signingIn }
  const allowed = tokenIds(size).map((tokenId) => itemKey(allowedKey(bindingId, tokenId)))
  const restore = () => {
    table.put({ ...itemKey(productKey(productId)), ...product })
    const key = itemKey(contractKey(productId, { chain, address }))
    table.put({ ...key, bindingId: { S: bindingId }, description, createdAt })
    table.fill(bindingPartition(bindingId), allowed)
    const refresh = refreshKey(productId, { chain, address })
    table.delete(refresh.pk, refresh.sk)
    // Changes leave events and records of keys, which the lists of both would read.
    for (const prefix of [eventKey(productId, '').sk, keyRecordsOf(productId).prefix]) {
      for (const item of [...table.range(refresh.pk, { prefix })]) {
        table.delete(refresh.pk, keyOf(item).sk)
      }
    }
  }
  restore()
  return { productId, apiKey, furtherKeyId, restore }
}

/** Puts the same product into the table as the naive peer has it, which only reads. */
export function seedNaiveProduct(table: MemoryTable, size: number): SeededProduct {
  const address = collection
  const apiKey = randomUUID()
  const pk = `PRODUCT#${apiKey}`
  const items = tokenIds(size)
    .sort()
    .map((tokenId) => ({
      ...itemKey({ pk, sk: `NFT#${chain}#${address}#${tokenId}` }),
      chain: { S: chain },
      address: { S: address },
      tokenId: { S: tokenId },
    }))
  table.fill(pk, items)
  table.put({ ...itemKey({ pk, sk: 'PROFILE' }), ...profile })
  return { productId: apiKey, apiKey, restore: () => undefined }
}

export const itemKey = ({ pk, sk }: Key): Item => ({ pk: { S: pk }, sk: { S: sk } })
