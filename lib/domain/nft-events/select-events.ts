import { type TokenId, tokenIdOf } from '../allowlist/token-id.ts'
import { rangeWith } from '../allowlist/token-ranges.ts'
import type { ContractWithRanges } from '../nft/nft.ts'
import type { AllowedTokenIds } from '../ports/allowlist.ts'
import type { Candidate } from './merge-logs.ts'
import type { MetadataChange, NftEvent, NftTransfer } from './nft-event.ts'

/** What the selection asks of an allowlist. */
type Allowlists = Pick<AllowedTokenIds, 'findAllowed' | 'list'>

/** The events of allowlisted NFTs, and those that tell of missed ones, in their order. */
export async function selected(
  candidates: readonly Candidate[],
  allowedTokenIds: Allowlists,
): Promise<NftEvent[]> {
  const unknown: {
    event: Candidate
    bindingId: ContractWithRanges['bindingId']
    tokenId: NftTransfer['tokenId']
  }[] = []
  const allowed = new Set<Candidate>()
  const queries: Promise<void>[] = []
  for (const event of candidates) {
    const { content, allowlist } = event
    const tokenId = tokenIdIn(content)
    if (content.kind === 'missed') allowed.add(event)
    else if (tokenId === undefined) {
      const query = isAnyAllowed(content as MetadataChange, allowlist, allowedTokenIds)
      queries.push(query.then((isAllowed) => void (isAllowed && allowed.add(event))))
    } else if (rangeWith(allowlist.ranges, BigInt(tokenId))) allowed.add(event)
    else unknown.push({ event, bindingId: allowlist.bindingId, tokenId })
  }
  const [found] = await Promise.all([
    unknown.length === 0 ? [] : allowedTokenIds.findAllowed(unknown),
    ...queries,
  ])
  for (const { event } of found) allowed.add(event)
  return candidates
    .filter((candidate) => allowed.has(candidate))
    .map(({ allowlist: _, ...event }) => event)
}

/** The NFT that an event is about, if it is one. */
function tokenIdIn(content: Candidate['content']): TokenId | undefined {
  if (content.kind === 'transfer') return content.tokenId
  if (content.kind === 'missed') return undefined
  return content.fromTokenId === content.toTokenId ? content.fromTokenId : undefined
}

/** Whether one of the NFTs whose metadata may be new is allowlisted. */
async function isAnyAllowed(
  { fromTokenId, toTokenId }: MetadataChange,
  { bindingId, ranges }: ContractWithRanges,
  { list }: Allowlists,
): Promise<boolean> {
  const [first, last] = [BigInt(fromTokenId), BigInt(toTokenId)]
  if (ranges.some((range) => range.first <= last && range.last >= first)) return true
  const [tokenId] = await list(bindingId, {
    ...(first > 0n && { after: tokenIdOf(first - 1n) }),
    limit: 1,
  })
  return tokenId !== undefined && BigInt(tokenId) <= last
}
