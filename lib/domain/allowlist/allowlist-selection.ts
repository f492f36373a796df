import type { ContractWithRanges, Nft } from '../nft/nft.ts'
import type { AllowedTokenIds } from '../ports/allowlist.ts'
import { rangeWith } from './token-ranges.ts'

/** A selection of the allowlisted ones of NFTs. */
export interface Selection<Each> {
  /** How many of them have to be looked up: those in no range (D57). */
  lookups: number
  /** Those that are allowlisted, in their order. */
  allowed({ findAllowed }: Pick<AllowedTokenIds, 'findAllowed'>): Promise<Each[]>
}

/** Returns the selection of NFTs. `contractOf`: the connection of each; `undefined`: it is not allowlisted. */
export function selection<Each extends Nft>(
  nfts: readonly Each[],
  contractOf: (nft: Each) => ContractWithRanges | undefined,
): Selection<Each> {
  const allowed = new Set<Each>()
  const entries = nfts.flatMap((nft) => {
    const { ranges, bindingId } = contractOf(nft) ?? {}
    if (!ranges || !bindingId) return []
    const isInRange = ranges.length > 0 && rangeWith(ranges, BigInt(nft.tokenId)) !== undefined
    if (isInRange) allowed.add(nft)
    return isInRange ? [] : [{ nft, bindingId, tokenId: nft.tokenId }]
  })
  return {
    lookups: entries.length,
    async allowed({ findAllowed }) {
      const found = entries.length === 0 ? [] : await findAllowed(entries)
      for (const { nft } of found) allowed.add(nft)
      return nfts.filter((nft) => allowed.has(nft))
    },
  }
}
