import type { Address } from '../nft/address.ts'
import type { ContractKey } from '../nft/nft.ts'

/** A balance that the indexer has returned. */
export interface KeptBalance {
  /** In the token's smallest unit. */
  units: bigint
  /** When the indexer was asked, in milliseconds since 1970. */
  readAt: number
}

export interface OwnedBalance extends KeptBalance {
  owner: Address
}

/** The balances that are kept (D156). What cannot be read counts as not kept, and fails for no request. */
export interface KeptBalances {
  /** How old a kept balance may be; 0: nothing is kept. */
  readonly rememberSeconds: number
  find(token: ContractKey, owners: readonly Address[]): Promise<ReadonlyMap<Address, KeptBalance>>
  /** Keeps balances of a token beside the request. Fails for no balance. */
  keep(token: ContractKey, balances: readonly OwnedBalance[]): void
}
