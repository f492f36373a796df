import { compareTokenIds, type TokenId } from '../allowlist/token-id.ts'
import type { TokenRanges } from '../allowlist/token-ranges.ts'
import type { Branded } from '../branded.ts'
import { compareTexts } from '../text.ts'
import type { Address } from './address.ts'
import type { Chain } from './chain.ts'

export interface ContractKey {
  chain: Chain
  address: Address
}

/**
 * One connection of a contract to a product. The allowlist belongs to it: a new connection has none, so nothing old
 * comes back (D19).
 */
export type BindingId = Branded<'BindingId'>

/** A smart contract connected to a product (specification 4.3). */
export interface Contract extends ContractKey {
  bindingId: BindingId
}

/** A connected contract with the ranges of its allowlist, which also has single identifiers (D57). */
export interface ContractWithRanges extends Contract {
  readonly ranges: TokenRanges
}

/** A contract in the list of the contracts of a product (D37). */
export interface ListedContract extends ContractWithRanges {
  /** When the contract was connected, RFC 3339 in UTC. */
  connectedAt: string
}

/** An allowlisted NFT: its contract and its token identifier (specification 2.2). */
export interface Nft extends ContractKey {
  tokenId: TokenId
}

/** The identity of a contract, without its other properties. */
export const contractKeyOf = ({ chain, address }: ContractKey): ContractKey => ({ chain, address })

/** The order of contracts: chain by name, then address (D18). */
export const compareContracts = (a: ContractKey, b: ContractKey): number =>
  compareTexts(a.chain, b.chain) || compareTexts(a.address, b.address)

/** The order of NFTs: the order of their contracts, then the token identifier as a number (D18). */
export const compareNfts = (a: Nft, b: Nft): number =>
  compareContracts(a, b) || compareTokenIds(a.tokenId, b.tokenId)

/** The standard of a contract, which decides what its events mean. */
export type NftStandard = 'ERC721' | 'ERC1155'
