import { compareTokenIds, largestTokenId, type TokenId, tokenIdOf } from '../allowlist/token-id.ts'
import { rangeWith } from '../allowlist/token-ranges.ts'
import type { ContractKey, ContractWithRanges } from '../nft/nft.ts'
import type { DescribedNft, IndexedNft } from '../nft/owned-nft.ts'
import type { AllowedTokenIds } from '../ports/allowlist.ts'
import type { Indexer } from '../ports/indexer.ts'
import { counterpart } from '../some-at-once.ts'
import type { Deadline } from '../time-budget.ts'
import { isUnavailable, keepRefreshed, type RefreshedMetadataPorts } from './keep-refreshed.ts'
import { type ContractPages, firstContractPage, type RefreshState } from './refresh-state.ts'

export interface Batch {
  state: RefreshState
  changed: IndexedNft[]
  failed: DescribedNft[]
  /** Whether further NFTs follow, or can follow in the ranges of the contract. */
  more: boolean
}

/** One batch of a refresh: its maximum size, its deadline, and when the request or delivery has begun. */
interface BatchLimits {
  size: number
  deadline: Deadline
  /** Milliseconds since 1970. */
  begunAt: number
}

interface BatchPorts {
  allowedTokenIds: AllowedTokenIds
  indexer: Indexer
  refreshedMetadata?: RefreshedMetadataPorts | undefined
}

/**
 * Checks NFTs after the position of a refresh: compares the indexer's metadata with its source. First come the
 * single identifiers that are in no range, then the NFTs in the ranges, one page of the contract's NFTs in
 * each batch (D59).
 */
export async function refreshBatch(
  contract: ContractWithRanges,
  state: RefreshState,
  limits: BatchLimits,
  ports: BatchPorts,
): Promise<Batch> {
  const { size } = limits
  const hasRanges = contract.ranges.length > 0
  if (!state.contractPages) {
    // One more than `size` shows whether further identifiers follow.
    const listed = await singlesAfter(contract, state.position, size + 1, ports.allowedTokenIds)
    const tokenIds = listed.slice(0, size)
    const position = tokenIds.at(-1)
    if (position) {
      const after = state.unsettled?.after
      const result = await check({ contract, tokenIds, after }, state, limits, ports)
      const isLast = listed.length <= size
      const pages = isLast && hasRanges && { contractPages: firstContractPage }
      return {
        ...result,
        state: { ...countedIn(state, result), position, ...pages },
        more: !isLast || hasRanges,
      }
    }
  }
  // The ranges can be removed between two batches.
  if (!hasRanges) return { state, changed: [], failed: [], more: false }
  return await refreshPage(contract, state, limits, ports)
}

/** Up to `limit` single identifiers after `after` that are in no range, in the order of numbers. */
async function singlesAfter(
  { bindingId, ranges }: ContractWithRanges,
  after: TokenId | undefined,
  limit: number,
  allowedTokenIds: AllowedTokenIds,
): Promise<TokenId[]> {
  const found: TokenId[] = []
  let position = after
  while (found.length < limit) {
    const covering = rangeWith(ranges, position === undefined ? 0n : BigInt(position) + 1n)
    if (covering?.last === largestTokenId) break
    if (covering) position = tokenIdOf(covering.last)
    const wanted = limit - found.length
    const listed = await allowedTokenIds.list(bindingId, {
      limit: wanted,
      ...(position !== undefined && { after: position }),
    })
    found.push(...listed.filter((tokenId) => !rangeWith(ranges, BigInt(tokenId))))
    if (listed.length < wanted) break
    position = listed.at(-1)
  }
  return found
}

async function refreshPage(
  contract: ContractWithRanges,
  state: RefreshState,
  limits: BatchLimits,
  ports: BatchPorts,
): Promise<Batch> {
  const pages = state.contractPages ?? firstContractPage
  const { pageKey, progress } = pages
  const page = await ports.indexer.contractNfts({
    contract,
    ...(pageKey !== undefined && { pageKey }),
    ...(progress && { progress }),
    limit: limits.size,
    deadline: limits.deadline,
  })
  const listed = page.tokenIds.toSorted(compareTokenIds)
  const tokenIds = listed.filter((tokenId) => rangeWith(contract.ranges, BigInt(tokenId)))
  const after = state.unsettled?.rangesAfter
  const result = await check({ contract, tokenIds, after }, state, limits, ports)
  const upTo = listedUpTo(pages, listed)
  const contractPages: ContractPages = {
    ...(page.pageKey !== undefined && { pageKey: page.pageKey }),
    ...(page.progress && { progress: page.progress }),
    read: pages.read + 1,
    skipped: pages.skipped + (listed.length || limits.size) - tokenIds.length,
    ...(upTo !== undefined && { upTo }),
  }
  return {
    ...result,
    state: { ...countedIn(state, result), contractPages },
    more: page.pageKey !== undefined,
  }
}

/** The identifier up to which the pages have listed all NFTs, as long as they are in order. */
function listedUpTo({ pageKey, upTo }: ContractPages, listed: readonly TokenId[]) {
  const [first] = listed
  if (first === undefined) return upTo
  const isFirstPage = pageKey === undefined
  const isInOrder = isFirstPage || (upTo !== undefined && compareTokenIds(first, upTo) > 0)
  return isInOrder ? listed.at(-1) : undefined
}

interface ToCheck {
  contract: ContractKey
  tokenIds: readonly TokenId[]
  after: TokenId | undefined
}

interface Checked {
  count: number
  changed: IndexedNft[]
  failed: DescribedNft[]
}

async function check(
  { contract, tokenIds, after }: ToCheck,
  state: RefreshState,
  { deadline, begunAt }: BatchLimits,
  { indexer, refreshedMetadata }: BatchPorts,
): Promise<Checked> {
  if (tokenIds.length === 0) return { count: 0, changed: [], failed: [] }
  const cached = await indexer.metadata({ contract, tokenIds, fromSource: false, deadline })
  const current = await indexer.metadata({ contract, tokenIds, fromSource: true, deadline })
  // What others have read from the indexer meanwhile can be older.
  const readAt = Date.now()
  if (refreshedMetadata) await keepRefreshed(contract, current, readAt, refreshedMetadata)
  const changed = current.filter((nft, index) => {
    const before = counterpart(cached, index)
    // Without the metadata before, there is nothing to compare with.
    if (isUnavailable(nft) || before.isMissing) return false
    const isSettled = after !== undefined && compareTokenIds(nft.tokenId, after) <= 0
    return differs(nft, before) || isUncounted(before, state, { begunAt, isSettled })
  })
  return { count: current.length, changed, failed: current.filter(isUnavailable) }
}

const countedIn = (state: RefreshState, { count, changed, failed }: Checked): RefreshState => ({
  ...state,
  checked: state.checked + count,
  changed: state.changed + changed.length,
  failed: state.failed + failed.length,
})

/** The difference that the clocks of the service and of the indexer may have, in milliseconds. */
const clockToleranceMilliseconds = 5_000

/** Whether an earlier try fetched the metadata without counting it: the NFT then counts as changed (D38). */
function isUncounted(
  { fetchedAt }: DescribedNft,
  { refreshedAt, unsettled }: RefreshState,
  { begunAt, isSettled }: { begunAt: number; isSettled: boolean },
): boolean {
  const isUnsettled = unsettled !== undefined && !isSettled
  const since = Date.parse(isUnsettled ? unsettled.since : refreshedAt)
  if (since >= begunAt) return false
  if (fetchedAt === undefined) return isUnsettled
  return fetchedAt >= since - clockToleranceMilliseconds && fetchedAt < begunAt
}

const differs = (a: IndexedNft, b: IndexedNft): boolean =>
  a.metadata.text !== b.metadata.text ||
  a.metadata.fault !== b.metadata.fault ||
  a.metadataLink !== b.metadataLink
