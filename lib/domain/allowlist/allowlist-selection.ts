import type { BindingId, ContractWithRanges } from '../nft/nft.ts'
import type { OwnedNft } from '../nft/owned-nft.ts'
import type { AllowedTokenIds } from '../ports/allowlist.ts'
import type { WalletPage } from '../reading/wallet-reading.ts'
import type { TokenId } from './token-id.ts'
import { rangeWith } from './token-ranges.ts'

interface Selected {
  contracts: readonly ContractWithRanges[]
}

/**
 * Returns the function that selects the allowlisted NFTs of a page, for one request. The pages that are known with a page
 * of a kept reading are selected at the same time.
 */
export function selection(
  slice: Selected,
  allowedTokenIds: AllowedTokenIds,
): (page: WalletPage, index: number) => Promise<OwnedNft[]> {
  const ahead = new Map<number, Promise<OwnedNft[]>>()
  const select = (nfts: readonly OwnedNft[]) => allowlisted(nfts, slice, allowedTokenIds)

  return async ({ nfts, following = [] }, index) => {
    if (ahead.has(index)) return (await ahead.get(index)) ?? []
    for (const [offset, page] of following.entries()) {
      const selected = select(page)
      // The response may not need the page.
      selected.catch(() => undefined)
      ahead.set(index + 1 + offset, selected)
    }
    return await select(nfts)
  }
}

/** The NFTs of a page that are allowlisted, in its order. The NFTs that are in a range need no read (D57). */
async function allowlisted(
  nfts: readonly OwnedNft[],
  slice: Selected,
  allowedTokenIds: AllowedTokenIds,
): Promise<OwnedNft[]> {
  const contracts = new Map(slice.contracts.map((contract) => [contract.address, contract]))
  const allowed = new Set<OwnedNft>()
  const unknown: { nft: OwnedNft; bindingId: BindingId; tokenId: TokenId }[] = []
  for (const nft of nfts) {
    const contract = contracts.get(nft.address)
    if (!contract) continue
    const { ranges, bindingId } = contract
    if (ranges.length > 0 && rangeWith(ranges, BigInt(nft.tokenId))) allowed.add(nft)
    else unknown.push({ nft, bindingId, tokenId: nft.tokenId })
  }
  const found = unknown.length === 0 ? [] : await allowedTokenIds.findAllowed(unknown)
  for (const { nft } of found) allowed.add(nft)
  return nfts.filter((nft) => allowed.has(nft))
}
