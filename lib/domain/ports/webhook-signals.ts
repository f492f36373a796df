import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ProductId } from '../product/product.ts'

/** What tells webhooks that there may be something for them. A signal that is lost delays them until the next sweep (D122), so none rejects. */
export interface WebhookSignals {
  /** Events of contracts were logged. */
  logged(chain: Chain, contracts: readonly Address[]): Promise<void>
  /** A product has connected a contract. */
  connected(productId: ProductId): Promise<void>
}
