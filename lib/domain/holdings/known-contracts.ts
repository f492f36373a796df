import type { ContractKey, Nft } from '../nft/nft.ts'
import type { ReadContract } from '../ports/kept-holdings.ts'
import { isRefused, latestChange } from './kept-contract.ts'

/** A contract that was looked up, with what is known of it: nothing if nobody has begun to keep it. */
export interface KnownContract {
  contract: ContractKey
  item: ReadContract | undefined
}

/** Whether nothing is kept of a contract, and nothing prepared. */
export const isUnknown = ({ item }: KnownContract): boolean =>
  !item || (item.ended?.reason === 'letGo' && !item.log)

/** Whether a contract is about to be kept, so that metadata of its NFTs will be needed. */
export const isPrepared = (known: KnownContract): boolean =>
  known.item !== undefined &&
  !isUnknown(known) &&
  !known.item.snapshot &&
  !isRefused(known.item, Date.now())

/** Identifies a contract in a request. */
export const contractName = ({ chain, address }: ContractKey): string => `${chain} ${address}`

/** Returns whether each NFT of a contract has one owner. */
export function haveOneOwner(known: readonly KnownContract[]): (contract: ContractKey) => boolean {
  const ofOne = known.filter(({ item }) => item?.snapshot?.standard === 'ERC721')
  const names = new Set(ofOne.map(({ contract }) => contractName(contract)))
  return (contract) => names.has(contractName(contract))
}

/** The latest known change of the metadata of an NFT (ERC-4906), in milliseconds since 1970; `undefined` if there is none. */
export type ChangeOf = (nft: Nft) => number | undefined

/** Returns what contracts say of changes of metadata. */
export function changesOf(known: readonly KnownContract[]): ChangeOf {
  const items = new Map(known.map(({ contract, item = {} }) => [contractName(contract), item]))
  return (nft) => latestChange(items.get(contractName(nft)) ?? {}, nft.tokenId)
}
