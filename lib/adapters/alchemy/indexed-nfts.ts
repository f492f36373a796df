import type { Nft as AlchemyNft, OwnedNft as AlchemyOwnedNft } from 'alchemy-sdk'
import type { Address } from '../../domain/address.ts'
import type { Chain } from '../../domain/chain.ts'
import type { IndexedNft, Metadata, OwnedNft } from '../../domain/owned-nft.ts'
import { parseTokenId } from '../../domain/token-id.ts'
import { malformedAnswer } from './malformed-answer.ts'

/**
 * The service's view of what alchemy-sdk has answered. NFTs of contracts that were not asked for are
 * left out; one that is not well formed throws an IndexerUnavailable.
 */
export function indexedNfts(
  nfts: readonly AlchemyNft[],
  { chain, contracts }: { chain: Chain; contracts: readonly Address[] },
): IndexedNft[] {
  return nfts.flatMap((nft) => {
    const address = addressOf(nft)
    const tokenId = parseTokenId(nft.tokenId)
    if (tokenId === undefined) throw malformedAnswer('a token identifier that is none')
    if (!contracts.includes(address)) return []
    // What the transport put there in place of the document.
    const metadata = nft.raw.metadata as Metadata
    return [{ chain, address, tokenId, metadataLink: metadataLinkOf(nft), metadata }]
  })
}

/** The same for a wallet's NFTs. One whose balance is 0 is not in the wallet. */
export function ownedNfts(
  nfts: readonly AlchemyOwnedNft[],
  { owner, ...asked }: { chain: Chain; contracts: readonly Address[]; owner: Address },
): OwnedNft[] {
  return nfts.flatMap((nft) => {
    const balance = balanceOf(nft)
    if (balance === '0') return []
    return indexedNfts([nft], asked).map((indexed) => ({ ...indexed, owner, balance }))
  })
}

/** Lower case whatever the case: the indexer checksums, and a checksum is for people. */
function addressOf({ contract: { address } }: AlchemyNft): Address {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw malformedAnswer('an address that is none')
  return address.toLowerCase() as Address
}

function balanceOf({ balance }: AlchemyOwnedNft): string {
  // Absent where the SDK's types say it cannot be.
  if (!/^[0-9]{1,78}$/.test(balance ?? '')) throw malformedAnswer('a balance that is none')
  return BigInt(balance).toString()
}

/** D27: `tokenUri` is the indexer's HTTP form, `raw.tokenUri` what the contract says. */
const metadataLinkOf = ({ tokenUri, raw }: AlchemyNft): string =>
  tokenUri && /^https?:/i.test(tokenUri) ? tokenUri : raw.tokenUri || tokenUri || ''
