import type { LookedUp } from '../metadata/show-metadata.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey, Nft } from '../nft/nft.ts'
import type { OwnedNft, ShownMetadata } from '../nft/owned-nft.ts'
import type { NotedReads } from '../ports/contract-use.ts'
import type { KeptHoldings, ReadContract } from '../ports/kept-contracts.ts'
import type { KeptNft } from '../ports/token-metadata.ts'
import type { Deadline } from '../time-budget.ts'
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

const contractName = ({ chain, address }: ContractKey): string => `${chain} ${address}`

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

/** The most text that a request keeps, in UTF-16 units, because it holds it until it is written. A later request keeps the rest. */
const maxKeptText = 2_000_000

/** Keeps metadata of the NFTs of a page of the indexer. `askedAt`: when it was asked for the page, in milliseconds since 1970. */
export type KeepFetchedMetadata = (nfts: readonly OwnedNft[], askedAt: number) => Promise<void>

/** What keeps metadata of allowlisted NFTs of contracts that are about to be kept, beside the request (D155). */
export function fetchedMetadata(
  known: Promise<readonly KnownContract[]>,
  { keepFetched }: Pick<KeepingPorts, 'keepFetched'>,
): KeepFetchedMetadata {
  let left = maxKeptText
  return async (nfts, askedAt) => {
    const contracts = await known
    const prepared = new Set(
      contracts.filter(isPrepared).map(({ contract }) => contractName(contract)),
    )
    const changedAt = changesOf(contracts)
    const kept = nfts.filter((nft) => prepared.has(contractName(nft)))
    if (kept.length === 0) return
    keepFetched(
      kept.map(({ chain, address, tokenId, metadataLink, metadata }) => ({
        ...{ chain, address, tokenId, metadataLink, metadata },
        ...{ readAt: askedAt, retries: 0, changedAt: changedAt({ chain, address, tokenId }) },
      })),
      fits,
    )
  }

  function fits({ metadata: { text } }: KeptNft): boolean {
    if (text.length > left) return false
    left -= text.length
    return true
  }
}

/** The metadata of NFTs as a read shows it. */
export interface ShownTexts {
  /** Looks up what is kept of NFTs that may be shown, as far as their texts have `maxBytes` together. Throws ServiceUnavailable. */
  lookUp(nfts: readonly Nft[], maxBytes: number): Promise<LookedUp>
  /**
   * The metadata of NFTs, in order, of at least one and up to `maxBytes` of text. Asks the indexer only for what nobody
   * had. Never fails by it.
   */
  describe(
    nfts: readonly Nft[],
    context: {
      maxBytes: number
      deadline: Deadline
      changedAt: ChangeOf
      lookedUp?: LookedUp | undefined
    },
  ): Promise<ShownMetadata[]>
}

/** What reads need in a deployment that keeps holdings. */
export interface KeepingPorts {
  /** The chains on which contracts are kept, and how many of a product on them. */
  keptChains: readonly Chain[]
  keptContracts: number
  keptHoldings: KeptHoldings
  notedReads: NotedReads
  texts: ShownTexts
  /**
   * Keeps metadata beside the request, at most once an hour for a token, if the request `takes` it. Fails for no NFT.
   */
  keepFetched(nfts: readonly KeptNft[], takes: (nft: KeptNft) => boolean): void
}

/** The contracts of a product whose holders may be kept (D153): the first ones of its list on the chains on which contracts are kept. */
export const eligibleContracts = <Contract extends ContractKey>(
  listed: readonly Contract[],
  { keptChains, keptContracts }: Pick<KeepingPorts, 'keptChains' | 'keptContracts'>,
): Contract[] => listed.filter(({ chain }) => keptChains.includes(chain)).slice(0, keptContracts)
