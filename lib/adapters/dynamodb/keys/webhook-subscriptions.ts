import { branded } from '../../../domain/branded.ts'
import type { Address } from '../../../domain/nft/address.ts'
import type { Chain } from '../../../domain/nft/chain.ts'
import type { ContractKey } from '../../../domain/nft/nft.ts'
import type { ProductId } from '../../../domain/product/product.ts'
import { followKey } from './follow-partition.ts'
import type { Key } from './key.ts'
import { productKey } from './product-partition.ts'

const subscriberPrefix = 'SUBSCRIBER#'

/** A product with webhooks that are told of the events of a contract (D121). */
export const subscriberKey = ({ chain, address }: ContractKey, productId: ProductId): Key => ({
  pk: followKey(chain).pk,
  sk: `${subscriberPrefix}${address}#${productId}`,
})

/** The partition of all products with webhooks, beside those of the chains. */
const productsWithWebhooks = 'FOLLOW#WEBHOOKS'

/** A product with webhooks (D121). */
export const webhookProductKey = (productId: ProductId): Key => ({
  pk: productsWithWebhooks,
  sk: productKey(productId).pk,
})

/** All such products. */
export const webhookProducts = { pk: productsWithWebhooks, prefix: productKey(branded('')).pk }

/** The product in the sort key of such an item. */
export const webhookProductFromKey = (sk: string): ProductId =>
  branded(sk.slice(webhookProducts.prefix.length))

/** All products that are told of the events of a contract, or of any contract of a chain. */
export const subscribersOf = ({ chain, address }: { chain: Chain; address?: Address }) => ({
  pk: followKey(chain).pk,
  prefix: address === undefined ? subscriberPrefix : `${subscriberPrefix}${address}#`,
})

/** The contract and the product in the sort key of a subscription. */
export function subscriptionFromKey(sk: string): { address: Address; productId: ProductId } {
  const [address = '', productId = ''] = sk.slice(subscriberPrefix.length).split('#')
  return { address: branded(address), productId: branded(productId) }
}
