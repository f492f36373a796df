import type { Address } from './address.ts'
import type { Chain } from './chain.ts'
import { compareTokenIds, type TokenId } from './token-id.ts'

/** The identity of a contract: an address on a chain. */
export interface ContractKey {
  chain: Chain
  address: Address
}

/**
 * One connection of a contract to a product. Allowlisted token identifiers belong to the connection,
 * not to the contract: a new connection has none, so old entries never come back (D19).
 */
export type BindingId = string & { readonly __brand: 'BindingId' }

/** A smart contract connected to a product (specification 4.3). */
export interface Contract extends ContractKey {
  bindingId: BindingId
}

/** An allowlisted NFT: its contract and its token identifier (specification 2.2). */
export interface Nft extends ContractKey {
  tokenId: TokenId
}

/** The maximum number of token identifiers in one allowlisting request (D16). */
export const maxTokenIdsPerAllowlisting = 10_000

/** The maximum number of contracts connected to a product (D16). */
export const maxContractsPerProduct = 500

/** The maximum number of token identifiers in one unbinding request (D20). */
export const maxTokenIdsPerUnbinding = 1_000

/** The maximum number of entries in one response of the allowlist (D18). */
export const maxAllowedNftsPerPage = 10_000

/** The order of contracts: chain by name, then address (D18). */
export const compareContracts = (a: ContractKey, b: ContractKey): number =>
  compareTexts(a.chain, b.chain) || compareTexts(a.address, b.address)

/** The order of NFTs: the order of their contracts, then the token identifier as a number (D18). */
export const compareNfts = (a: Nft, b: Nft): number =>
  compareContracts(a, b) || compareTokenIds(a.tokenId, b.tokenId)

/** Orders texts by code unit, the same on every machine and locale. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
