import { branded } from '../../../domain/branded.ts'
import { isChain } from '../../../domain/nft/chain.ts'
import type { ContractKey } from '../../../domain/nft/nft.ts'
import type { ProductId } from '../../../domain/product/product.ts'
import type { KeyId } from '../../../domain/product/product-key.ts'
import type { WebhookId } from '../../../domain/webhooks/webhook.ts'
import { type Key, limits } from './key.ts'

export const productKey = (productId: ProductId): Key => ({
  pk: `PRODUCT#${productId}`,
  sk: 'PROFILE',
})

const inProduct = (productId: ProductId, sk: string): Key => ({ pk: productKey(productId).pk, sk })

const under = (productId: ProductId, prefix: string) => ({ pk: productKey(productId).pk, prefix })

const keyPrefix = 'KEY#'

export const keyRecordKey = (productId: ProductId, keyId: KeyId): Key =>
  inProduct(productId, `${keyPrefix}${keyId}`)

export const keyRecordsOf = (productId: ProductId) => under(productId, keyPrefix)

/** The counters of a product's limits (D47). */
export const productLimitsKey = (productId: ProductId): Key => inProduct(productId, limits)

const contractPrefix = 'CONTRACT#'

export const contractKey = (productId: ProductId, { chain, address }: ContractKey): Key =>
  inProduct(productId, `${contractPrefix}${chain}#${address}`)

/** All contracts of a product. Their sort keys have the order of D18. */
export const contractsOf = (productId: ProductId) => under(productId, contractPrefix)

export function contractFromKey(sk: string): ContractKey {
  const [chain = '', address = ''] = sk.slice(contractPrefix.length).split('#')
  if (!isChain(chain)) throw new Error('the table holds a contract on an unknown chain')
  return { chain, address: branded(address) }
}

export const refreshKey = (productId: ProductId, { chain, address }: ContractKey): Key =>
  inProduct(productId, `REFRESH#${chain}#${address}`)

const eventPrefix = 'EVENT#'

/** An event of the log of a product (D49). */
export const eventKey = (productId: ProductId, eventId: string): Key =>
  inProduct(productId, `${eventPrefix}${eventId}`)

export const eventIdFromKey = (sk: string): string => sk.slice(eventPrefix.length)

const webhookPrefix = 'WEBHOOK#'

/** A webhook, in the partition of its product (D121). */
export const webhookKey = (productId: ProductId, webhookId: WebhookId): Key =>
  inProduct(productId, `${webhookPrefix}${webhookId}`)

export const webhooksOf = (productId: ProductId) => under(productId, webhookPrefix)

/** The counters of the tests of a product's webhooks (D121). */
export const webhookTestsKey = (productId: ProductId): Key => inProduct(productId, 'WEBHOOK_TESTS')

/** The counters of the replays of a webhook (D121). */
export const webhookReplaysKey = (productId: ProductId, webhookId: WebhookId): Key =>
  inProduct(productId, `WEBHOOK_REPLAYS#${webhookId}`)
