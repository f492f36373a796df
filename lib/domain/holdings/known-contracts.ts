import type { ContractKey, Nft } from '../nft/nft.ts'
import type { ReadContract } from '../ports/kept-holdings.ts'
import { isRefused } from './kept-contract.ts'

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
  const changes = new Map(
    known.map(({ contract, item }) => [
      contractName(contract),
      (item?.changed ?? []).map(({ fromTokenId, toTokenId, at }) => ({
        ...{ first: BigInt(fromTokenId), last: BigInt(toTokenId), at },
      })),
    ]),
  )
  return (nft) => {
    const ofContract = changes.get(contractName(nft)) ?? []
    if (ofContract.length === 0) return undefined
    const number = BigInt(nft.tokenId)
    const its = ofContract.filter(({ first, last }) => first <= number && number <= last)
    return its.length > 0 ? Math.max(...its.map(({ at }) => at)) : undefined
  }
}
