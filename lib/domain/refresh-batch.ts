import type { Contract } from './nft.ts'
import type { DescribedNft, IndexedNft } from './owned-nft.ts'
import type { AllowedTokenIds } from './ports/allowlist.ts'
import type { Indexer } from './ports/indexer.ts'
import type { RefreshState } from './refresh-state.ts'
import type { Deadline } from './time-budget.ts'
import { compareTokenIds } from './token-id.ts'

/** The result of one batch of a refresh. */
export interface Batch {
  state: RefreshState
  changed: IndexedNft[]
  failed: DescribedNft[]
  /** Whether further NFTs follow. */
  more: boolean
}

/** One batch of a refresh: its maximum size, its deadline, and when the request or delivery has begun. */
export interface BatchLimits {
  size: number
  deadline: Deadline
  /** Milliseconds since 1970. */
  begunAt: number
}

/** Checks NFTs after the position of a refresh: compares the indexer's metadata with its source. */
export async function refreshBatch(
  contract: Contract,
  state: RefreshState,
  { size, deadline, begunAt }: BatchLimits,
  { allowedTokenIds, indexer }: { allowedTokenIds: AllowedTokenIds; indexer: Indexer },
): Promise<Batch> {
  // One more than `size` shows whether further NFTs follow.
  const range = { ...after(state), limit: size + 1 }
  const listed = await allowedTokenIds.list(contract.bindingId, range)
  const tokenIds = listed.slice(0, size)
  const position = tokenIds.at(-1)
  if (!position) return { state, changed: [], failed: [], more: false }
  const cached = await indexer.metadata({ contract, tokenIds, fromSource: false, deadline })
  const current = await indexer.metadata({ contract, tokenIds, fromSource: true, deadline })
  const failed = current.filter(isUnavailable)
  const changed = current.filter((nft, index) => {
    const before = cached[index] as DescribedNft
    // Without the metadata before, there is nothing to compare with.
    if (isUnavailable(nft) || before.isMissing) return false
    return differs(nft, before) || isUncounted(before, state, begunAt)
  })
  return {
    state: {
      ...state,
      checked: state.checked + current.length,
      changed: state.changed + changed.length,
      failed: state.failed + failed.length,
      position,
    },
    changed,
    failed,
    more: listed.length > size,
  }
}

/** The difference that the clocks of the service and of the indexer may have, in milliseconds. */
const clockToleranceMilliseconds = 5_000

/**
 * Whether an earlier try fetched the metadata of an NFT without counting the result: the change is then
 * lost in the indexer's own copy, so that the NFT counts as changed (D38).
 */
function isUncounted(
  { tokenId, fetchedAt }: DescribedNft,
  { refreshedAt, unsettled }: RefreshState,
  begunAt: number,
): boolean {
  const isUnsettled =
    unsettled && (!unsettled.after || compareTokenIds(tokenId, unsettled.after) > 0)
  const since = Date.parse(isUnsettled ? unsettled.since : refreshedAt)
  if (since >= begunAt) return false
  if (fetchedAt === undefined) return isUnsettled === true
  return fetchedAt >= since - clockToleranceMilliseconds && fetchedAt < begunAt
}

/** The identifiers after the position of a refresh. */
export const after = ({ position }: RefreshState) => (position ? { after: position } : {})

const isUnavailable = ({ metadata }: IndexedNft) => metadata.fault === 'not_available'

const differs = (a: IndexedNft, b: IndexedNft): boolean =>
  a.metadata.text !== b.metadata.text ||
  a.metadata.fault !== b.metadata.fault ||
  a.metadataLink !== b.metadataLink
