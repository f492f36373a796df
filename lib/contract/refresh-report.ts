import type { Address } from '../domain/nft/address.ts'
import type { DescribedNft } from '../domain/nft/owned-nft.ts'
import { withTokenId } from '../domain/nft/structured-metadata.ts'
import type { ContractRefresh } from '../domain/refresh/refresh.ts'
import type { VerbatimJson } from '../json/verbatim-json.ts'
import { maxResponseBytes, renderRaw, responseBytes } from './nft-entries.ts'

/**
 * The response of 4.7 (D31, D36): the counts over all chains, the oldest of their times, the NFTs that
 * failed, and the changed NFTs in raw form up to the maximum size; `omitted` counts the other changed NFTs.
 */
export function reportRefresh(smartContract: Address, refreshes: readonly ContractRefresh[]) {
  const states = refreshes.map(({ state }) => state)
  const sum = (count: 'checked' | 'changed' | 'failed' | 'pending') =>
    states.reduce((total, state) => total + state[count], 0)
  const changed = sum('changed')
  const failures = refreshes.flatMap(({ failed }) => failed).map(failure)
  const room = maxResponseBytes - responseBytes(JSON.stringify(failures))
  const tokens = changedTokens(refreshes, room)
  return {
    smartContract,
    chains: refreshes.map(({ contract }) => contract.chain),
    checked: sum('checked'),
    changed,
    failed: sum('failed'),
    pending: sum('pending'),
    refreshedAt: states.map(({ refreshedAt }) => refreshedAt).reduce((a, b) => (b < a ? b : a)),
    failures,
    tokens,
    ...(changed > tokens.length && { omitted: changed - tokens.length }),
  }
}

/** The longest link in a failure, in characters: a longer link is a data: URI, which contains a document. */
const maxLinkLength = 2_048

function failure({ tokenId, address, chain, isMissing, ...nft }: DescribedNft) {
  const metadataLink = withTokenId(nft.metadataLink, tokenId)
  // Where the response lacks the NFT, nothing is known about its contract.
  const hasNoLink = metadataLink === '' && !isMissing
  const reason = hasNoLink ? ('no_link' as const) : ('not_available' as const)
  const hasLink = metadataLink !== '' && metadataLink.length <= maxLinkLength
  return { tokenId, address, chain, reason, ...(hasLink && { metadataLink }) }
}

function changedTokens(refreshes: readonly ContractRefresh[], size: number): VerbatimJson[] {
  const tokens: VerbatimJson[] = []
  let room = size
  for (const nft of refreshes.flatMap(({ changed }) => changed)) {
    const rendered = renderRaw(nft)
    room -= rendered.size
    if (room < 0) break
    tokens.push(rendered.entry)
  }
  return tokens
}
