import type { Nft as AlchemyNft, OwnedNft as AlchemyOwnedNft } from 'alchemy-sdk'
import { parseTokenId } from '../../domain/allowlist/token-id.ts'
import { type Address, toAddress } from '../../domain/nft/address.ts'
import type { Chain } from '../../domain/nft/chain.ts'
import type { DescribedNft, IndexedNft, Metadata, OwnedNft } from '../../domain/nft/owned-nft.ts'
import type { Block } from '../../domain/ports/chain-events.ts'
import { malformedResponse } from './malformed-response.ts'

/**
 * Maps the NFTs of an alchemy-sdk response to the domain. An NFT that is not well formed, or of a contract
 * that was not asked for, throws an IndexerUnavailable (D39). One without a token identifier is left out if the
 * indexer says that it does not exist (D135).
 */
export function indexedNfts(
  nfts: readonly AlchemyNft[],
  { chain, contracts }: { chain: Chain; contracts: readonly Address[] },
): IndexedNft[] {
  return nfts.flatMap((nft) => {
    const address = addressOf(nft)
    if (!contracts.includes(address)) throw malformedResponse('an NFT of another contract')
    const tokenId = parseTokenId(nft.tokenId ?? '')
    if (tokenId === undefined) {
      return withoutNonexistent(nft, `an NFT without a token identifier, of ${chain} ${address}`)
    }
    // The transport replaced the document by this.
    const metadata = nft.raw.metadata as Metadata
    return { chain, address, tokenId, metadataLink: metadataLinkOf(nft), metadata }
  })
}

/** Maps the NFTs of a batch of metadata, with the time of their metadata. */
export const describedNfts = (
  nfts: readonly AlchemyNft[],
  request: { chain: Chain; contracts: readonly Address[] },
): DescribedNft[] =>
  nfts.flatMap((nft) => {
    const fetchedAt = Date.parse(nft.timeLastUpdated)
    const known = Number.isNaN(fetchedAt) ? {} : { fetchedAt }
    return indexedNfts([nft], request).map((indexed) => ({ ...indexed, ...known }))
  })

/** Maps the NFTs of a wallet. An NFT with a balance of 0 is not in the wallet. */
export function ownedNfts(
  nfts: readonly AlchemyOwnedNft[],
  { owner, ...request }: { chain: Chain; contracts: readonly Address[]; owner: Address },
): OwnedNft[] {
  return nfts.flatMap((nft) =>
    indexedNfts([nft], request).flatMap((indexed) => {
      const { chain, address, tokenId } = indexed
      const balance = balanceOf(nft)
      if (balance === undefined) {
        return withoutNonexistent(nft, `an NFT without a balance, ${chain} ${address} ${tokenId}`)
      }
      return balance === '0' ? [] : { ...indexed, owner, balance }
    }),
  )
}

/** Nothing in place of a malformed NFT that does not exist; any other is a malformed response (D135). */
function withoutNonexistent(nft: AlchemyNft, fault: string): [] {
  // The transport passes no other error on.
  if (nft.raw.error !== undefined) return []
  throw malformedResponse(fault)
}

/**
 * The block that a page says its data is of, with the time of receipt in place of a later time. `undefined` for a
 * page without a block or with one that is not well formed (D156).
 */
export function statedBlock({
  blockNumber,
  blockTimestamp = '',
}: {
  blockNumber?: number
  blockTimestamp?: string
} = {}): Block | undefined {
  const at = isoTime.test(blockTimestamp) ? Date.parse(blockTimestamp) : Number.NaN
  if (blockNumber === undefined || Number.isNaN(at)) return undefined
  return { number: blockNumber, at: Math.min(at, Date.now()) }
}

/** A time in UTC. Date.parse takes other notations for local time. */
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/

/** The indexer answers checksummed addresses. The checksum is for people, so it is not verified. */
function addressOf({ contract: { address } }: AlchemyNft): Address {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw malformedResponse('an address that is none')
  return toAddress(address.toLowerCase())
}

/** The balance can be absent although the SDK's types require it. */
const balanceOf = ({ balance }: AlchemyOwnedNft): string | undefined =>
  /^[0-9]{1,78}$/.test(balance ?? '') ? BigInt(balance).toString() : undefined

/** D27: `tokenUri` is the indexer's HTTP form, `raw.tokenUri` what the contract says. */
const metadataLinkOf = ({ tokenUri, raw }: AlchemyNft): string =>
  tokenUri && /^https?:/i.test(tokenUri) ? tokenUri : raw.tokenUri || tokenUri || ''
