import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { ProductId } from '../product/product.ts'

/** A contract of whose events a product has webhooks told. */
export interface Subscription {
  productId: ProductId
  contract: ContractKey
}

/** Which products have webhooks, and are told of which contracts (D121). Every write can be repeated. */
export interface WebhookSubscribers {
  /** The products with a subscription of a contract. */
  of(contract: ContractKey): Promise<ProductId[]>
  /** All subscriptions of contracts of a chain. */
  all(chain: Chain): Promise<{ productId: ProductId; address: Address }[]>
  /** The products with webhooks. */
  products(): Promise<ProductId[]>
  addProduct(productId: ProductId): Promise<void>
  removeProduct(productId: ProductId): Promise<void>
  add(subscriptions: readonly Subscription[]): Promise<void>
  remove(subscriptions: readonly Subscription[]): Promise<void>
}
