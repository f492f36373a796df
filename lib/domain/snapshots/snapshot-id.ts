import type { SnapshotId } from '../holdings/kept-contract.ts'

/** How long the items of lists are kept at most, in milliseconds: the month of a snapshot and three days. */
const retentionMilliseconds = 33 * 86_400_000

/** A new identifier of lists that begin at a moment, in milliseconds since 1970. */
export const newSnapshotId = (begunAt: number): SnapshotId =>
  `${begunAt.toString(36).padStart(9, '0')}${crypto.randomUUID().slice(0, 8)}`

/**
 * When the items of lists expire that nobody has deleted, in seconds since 1970. All items of a snapshot expire together. `now`: counts for an
 * identifier that does not say when its lists began.
 */
export function listsExpireAt(id: SnapshotId, now: number): number {
  const begunAt = /^[\da-z]{9}[\da-f]{8}$/.test(id) ? Number.parseInt(id.slice(0, 9), 36) : now
  return Math.ceil((begunAt + retentionMilliseconds) / 1_000)
}
