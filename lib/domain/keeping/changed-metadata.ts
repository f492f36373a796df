import { tokenIdOf } from '../allowlist/token-id.ts'
import type { ChangedMetadata } from '../holdings/kept-contract.ts'

const maxChanged = 20

/**
 * The latest changes of metadata with those that a poll has read (ERC-4906): the same list if it says all of them. When there are too
 * many, the two oldest become one, which names at least the same NFTs with the later time, so that nothing that may be new counts as old.
 */
export function changedAfter(
  changed: readonly ChangedMetadata[],
  read: readonly ChangedMetadata[],
): readonly ChangedMetadata[] {
  const inOrder = read.toSorted((a, b) => a.at - b.at)
  return inOrder.reduce((known, change) => withChange(known, change), changed)
}

function withChange(
  known: readonly ChangedMetadata[],
  change: ChangedMetadata,
): readonly ChangedMetadata[] {
  // Each poll reads the overlap again.
  if (known.some((each) => covers(each, change))) return known
  const after = [...known.filter((each) => !covers(change, each)), change]
  const [oldest, second, ...later] = after.sort((a, b) => a.at - b.at)
  return after.length > maxChanged && oldest && second ? [union(oldest, second), ...later] : after
}

/** Whether an entry names the NFTs of another one, with its time or a later one. */
const covers = (entry: ChangedMetadata, other: ChangedMetadata): boolean =>
  entry.at >= other.at &&
  BigInt(entry.fromTokenId) <= BigInt(other.fromTokenId) &&
  BigInt(entry.toTokenId) >= BigInt(other.toTokenId)

function union(earlier: ChangedMetadata, later: ChangedMetadata): ChangedMetadata {
  const [first, last] = [BigInt(earlier.fromTokenId), BigInt(earlier.toTokenId)]
  const [from, to] = [BigInt(later.fromTokenId), BigInt(later.toTokenId)]
  return {
    fromTokenId: tokenIdOf(first < from ? first : from),
    toTokenId: tokenIdOf(last > to ? last : to),
    at: later.at,
  }
}
