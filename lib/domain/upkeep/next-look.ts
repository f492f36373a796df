import type { LookPlace } from '../ports/contract-care.ts'
import type { Block } from '../reading/block.ts'

/** How long ago the end of blocks is whose events are read again, and how long after that the next end is chosen, in milliseconds. */
const ageMilliseconds = 5 * 60_000
const betweenMilliseconds = 5 * 60_000

/** What becomes of how far events were read again, and the blocks that are due. */
export interface NextLook {
  place: LookPlace
  due?: { from: number; to: number } | undefined
}

/**
 * Every ten minutes, the blocks of ten minutes that ended at least five minutes ago are due (D154). Each end is a block that was the head when
 * it was chosen, so that no block is left out whatever time blocks take. `undefined`: nothing changes.
 */
export function nextLook(
  place: LookPlace | undefined,
  head: Block,
  now: number,
): NextLook | undefined {
  if (!place) return { place: { upTo: head.number, at: now } }
  const { upTo, at, mark } = place
  if (!mark) {
    const { number } = head
    return now - at < betweenMilliseconds
      ? undefined
      : { place: { upTo, at, mark: { number, at: head.at } } }
  }
  if (now - mark.at < ageMilliseconds) return undefined
  const to = Math.max(upTo, mark.number)
  return { place: { upTo: to, at: now }, ...(to > upTo && { due: { from: upTo + 1, to } }) }
}
