import type { Address } from '../nft/address.ts'
import type { BindingId, ContractWithRanges } from '../nft/nft.ts'
import type { OwnedNft } from '../nft/owned-nft.ts'
import type { AllowedTokenIds, FindAllowed } from '../ports/allowlist.ts'
import type { WalletPage } from '../reading/wallet-reading.ts'
import type { TokenId } from './token-id.ts'
import { rangeWith } from './token-ranges.ts'

/** The part of the allowlist that a wallet is compared with. */
interface Selected {
  owner: Address
  contracts: readonly ContractWithRanges[]
}

/** The selection of the allowlisted NFTs of the pages of a wallet, for one request. */
export interface Selection {
  /** Begins to look up what the first page is expected to have: what it had when this container read it last (D96). */
  begin(): void
  /** Selects from a page. The pages that are known with a page of a kept reading are selected at the same time. */
  select(page: WalletPage, index: number): Promise<OwnedNft[]>
}

/** Returns the selection of a wallet's NFTs. */
export function selection(slice: Selected, allowedTokenIds: AllowedTokenIds): Selection {
  const { findAllowed } = allowedTokenIds
  const ahead = new Map<number, Promise<OwnedNft[]>>()
  let findFirst = findAllowed

  return {
    begin() {
      const [contract] = slice.contracts
      if (contract) findFirst = allowedTokenIds.expected(`${slice.owner} ${contract.bindingId}`)
    },

    async select({ nfts, following = [] }, index) {
      if (ahead.has(index)) return (await ahead.get(index)) ?? []
      for (const [offset, page] of following.entries()) {
        const selected = allowlisted(page, slice, findAllowed)
        // The response may not need the page.
        selected.catch(() => undefined)
        ahead.set(index + 1 + offset, selected)
      }
      return await allowlisted(nfts, slice, index === 0 ? findFirst : findAllowed)
    },
  }
}

/** The NFTs of a page that are allowlisted, in its order. The NFTs that are in a range need no read (D57). */
async function allowlisted(
  nfts: readonly OwnedNft[],
  slice: Selected,
  findAllowed: FindAllowed,
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
  const found = unknown.length === 0 ? [] : await findAllowed(unknown)
  for (const { nft } of found) allowed.add(nft)
  return nfts.filter((nft) => allowed.has(nft))
}
