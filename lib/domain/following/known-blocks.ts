import type { HashedBlock } from '../ports/chain-events.ts'
import type { FollowPosition, KnownBlock } from '../ports/follow-notes.ts'

/** How far a node can be behind another one, in milliseconds: less than two polls, so each poll compares one block. */
const nodesApartMilliseconds = 8_000

interface Comparison {
  now: number
  settlingMilliseconds: number
  /** The latest block, which costs no request. */
  head: HashedBlock
  to: HashedBlock
}

/**
 * Whether every node has changed to the branch of the block that was read after this one, of which this one is then an
 * ancestor.
 */
const isDecided = (known: readonly KnownBlock[], index: number, now: number): boolean => {
  const { readAt: nextReadAt = now } = known[index + 1] ?? {}
  return now - nextReadAt >= nodesApartMilliseconds
}

/**
 * The known blocks that a step compares with the chain (D152): each one once, when the answer decides, and before that in
 * each step that would otherwise confirm holdings for more than the settling time after a reorganization. What contradicts
 * the step's blocks is compared at once.
 */
export function blocksToCompare(
  known: readonly KnownBlock[],
  { now, settlingMilliseconds, head, to }: Comparison,
): KnownBlock[] {
  const oldest = now - settlingMilliseconds + nodesApartMilliseconds
  return known.filter(
    ({ number, at, readAt }, index) =>
      readAt !== undefined &&
      (isDecided(known, index, now) || readAt < oldest || number === head.number || at > to.at),
  )
}

/** The known blocks after a step that has found all compared blocks in the chain. */
export const afterComparison = (known: readonly KnownBlock[], now: number): KnownBlock[] =>
  known.map((block, index) => {
    const { readAt: _, ...compared } = block
    return isDecided(known, index, now) ? compared : block
  })

/** The first block of the overlap before a block: at least this time before it, if as much is known. */
export const firstOfOverlap = (
  known: readonly KnownBlock[],
  last: HashedBlock,
  overlapMilliseconds: number,
): KnownBlock => known.findLast(({ at }) => at <= last.at - overlapMilliseconds) ?? known[0] ?? last

/**
 * The time up to which a step confirms that all events are read (D152): that of the last known block that an earlier
 * step had read by a moment, a poll before this step has asked for the events. A node that is at most a poll behind the one
 * that told the block has answered with it. Never before the time that an earlier step has confirmed.
 */
export function confirmedBy(
  { first, blocks }: { first: HashedBlock; blocks: readonly KnownBlock[] },
  position: FollowPosition | undefined,
  moment: number,
): number {
  const confirmed = blocks.findLast(({ readAt = moment + 1 }) => readAt <= moment) ?? first
  return Math.max(confirmed.at, position?.confirmedUpTo ?? 0)
}

interface ReadBlocks {
  blocks: readonly KnownBlock[]
  to: HashedBlock
}

const before = ({ number: end }: HashedBlock, blocks: readonly KnownBlock[]): KnownBlock[] =>
  blocks.filter(({ number }) => number < end)

/** The first block of the overlap that the next step reads again. */
export const nextFirst = ({ blocks, to }: ReadBlocks, overlapMilliseconds: number): KnownBlock =>
  firstOfOverlap([...before(to, blocks), to], to, overlapMilliseconds)

/** The blocks that are known after a step: those of the overlap that the next step reads again, and those that it has to compare. */
export function blocksAfter(
  { blocks, to }: ReadBlocks,
  { overlapMilliseconds, readAt }: { overlapMilliseconds: number; readAt: number },
): KnownBlock[] {
  const isLast = ({ hash }: KnownBlock) => hash === to.hash
  const last = { ...to, readAt: blocks.find(isLast)?.readAt ?? readAt }
  const first = nextFirst({ blocks, to }, overlapMilliseconds)
  return [...before(to, blocks), last].filter(
    (block) => block.number >= first.number || block.readAt !== undefined,
  )
}
