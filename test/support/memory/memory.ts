import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { BindingId, ContractWithRanges } from '../../../lib/domain/nft/nft.ts'
import type { Metadata } from '../../../lib/domain/nft/owned-nft.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import type { ProductEvent } from '../../../lib/domain/product/product-event.ts'
import type { StoredProduct } from '../../../lib/domain/product/stored-product.ts'
import type { RefreshState } from '../../../lib/domain/refresh/refresh-state.ts'
import type { ProductWork } from '../../../lib/domain/work/work-item.ts'

/** The only product of a memory. */
export const onlyProduct = (): StoredProduct => ({
  productId: 'product' as ProductId,
  product: { name: 'Lanterns', contactEmail: 'studio@example', companyName: 'Gull Harbour' },
  createdAt: new Date(0).toISOString(),
  keys: [],
  keysVersion: 1,
})

/** The content of the ports, which tests set up and read. */
export const emptyMemory = () => ({
  /** What the only product permits; `undefined` after it was deleted. */
  product: onlyProduct() as StoredProduct | undefined,
  contracts: new Map<string, ContractWithRanges & { productId: ProductId }>(),
  descriptions: new Map<BindingId, string>(),
  allowed: new Map<BindingId, Set<TokenId>>(),
  refreshes: new Map<string, RefreshState & { isAbandoned?: boolean }>(),
  queue: [] as ProductWork[],
  /** The delays with which all items were sent, in seconds; `undefined` for the default. */
  delays: [] as (number | undefined)[],
  /** The events of the changes, the earliest first (D49). */
  events: [] as ProductEvent[],
  /** The metadata that the indexer has cached, and the metadata of the source, by token identifier. */
  cached: new Map<TokenId, Metadata>(),
  current: new Map<TokenId, Metadata>(),
  /** When the indexer fetched what it has cached, if a refresh made it do so. */
  fetchedAt: new Map<TokenId, number>(),
  /** Whether enough time has passed for the next refresh. */
  isNextRefreshDue: false,
})

export type Memory = ReturnType<typeof emptyMemory>
