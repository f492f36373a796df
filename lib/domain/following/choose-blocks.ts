import { IndexerUnavailable } from '../failures.ts'
import { type Chain, chains } from '../nft/chain.ts'
import type { ChainEvents, HashedBlock } from '../ports/chain-events.ts'
import type { FollowPosition, KnownBlock } from '../ports/follow-notes.ts'
import type { Deadline } from '../time-budget.ts'
import { afterComparison, blocksToCompare, firstOfOverlap } from './known-blocks.ts'

/** The time of the chain after which a follower that stood still begins anew, in milliseconds. */
const gapMilliseconds = 2 * 3_600_000

/** How far the time of a block may be ahead of the clock, in milliseconds. */
const maxAheadMilliseconds = 15_000

/** The blocks that a step reads, and what is known of those before. */
export interface ChosenBlocks {
  first: HashedBlock
  /** Known blocks, in the order of their numbers. */
  blocks: readonly KnownBlock[]
  to: HashedBlock
  hasMore: boolean
  /** Whether blocks that were read before this step were replaced, or nobody knows. */
  endsTrust: boolean
  /** Whether what was read before does not connect with this step, so that all contracts are followed anew. */
  hasGap: boolean
  /** Whether blocks before the first one were replaced, which no step reads again. */
  isReplacedBefore: boolean
  /** The number of the first known block that was found to be replaced. */
  firstReplaced?: number | undefined
}

interface BlockChoice {
  now: number
  settlingMilliseconds: number
  overlapMilliseconds: number
  maxBlocks: number
  /** The usual time between known blocks, in milliseconds, if events are logged when they leave the overlap (D125). */
  knownEvery?: number | undefined
}

/**
 * Chooses the blocks of a step from the position and the latest block (D152). `undefined`: the source is behind the
 * position, and nothing can be read. A block that has taken the place of a known one, a gap, or no position ends the trust
 * in everything that was read before. Throws IndexerUnavailable.
 */
export async function chooseBlocks(
  chain: Chain,
  position: FollowPosition | undefined,
  choice: BlockChoice,
  source: ChainEvents,
  deadline: Deadline,
): Promise<ChosenBlocks | undefined> {
  const { now, maxBlocks } = choice
  const head = await source.head(chain, deadline)
  if (head.at > now + maxAheadMilliseconds) {
    throw new IndexerUnavailable('malformed answer: a block of the future')
  }
  const blockAt = (number: number) =>
    number === head.number ? head : source.block(chain, number, deadline)
  const last = position?.blocks.at(-1)
  if (!position || !last || head.at - last.at > gapMilliseconds) {
    const first = await blockAt(firstNumber(chain, head, choice))
    if (!first) return undefined
    const blocks = [first, ...(await blocksBetween(first, head, choice, blockAt))]
    // Nobody has looked whether the blocks of earlier readings were replaced.
    const reading = { to: head, hasMore: false, endsTrust: true, hasGap: true }
    return inOrder({ ...anew(first), blocks, ...reading, isReplacedBefore: false }, head)
  }
  if (head.number < last.number) return undefined
  const to = await blockAt(Math.min(head.number, last.number + maxBlocks))
  if (!to) return undefined
  const { blocks } = position
  const compared = blocksToCompare(blocks, { ...choice, head, to })
  const found = await Promise.all(compared.map(({ number }) => blockAt(number)))
  if (found.includes(undefined)) return undefined
  const reading = { to, hasMore: to.number < head.number, hasGap: false }
  const firstKnown = firstToRead(position, blocks, last, choice)
  const replaced = compared.filter(({ hash }, index) => found[index]?.hash !== hash)
  if (replaced.length === 0) {
    // What a step catches up on is about to leave the overlap.
    const between = reading.hasMore ? [] : await blocksBetween(last, to, choice, blockAt)
    const known = [...afterComparison(blocks, now), ...between]
    const overlap = { first: firstKnown, blocks: known }
    return inOrder({ ...reading, ...overlap, endsTrust: false, isReplacedBefore: false }, head)
  }
  const first = await blockAt(firstKnown.number)
  if (!first) return undefined
  const isReplacedBefore = first.hash !== firstKnown.hash
  const firstReplaced = Math.min(...replaced.map(({ number }) => number))
  const begun = begunWith(first, position, now)
  return inOrder({ ...reading, ...begun, endsTrust: true, isReplacedBefore, firstReplaced }, head)
}

/**
 * Blocks between two known ones, as polls would have read, so that not all leave the overlap together. None if at most
 * one is missing.
 */
async function blocksBetween(
  last: HashedBlock,
  to: HashedBlock,
  { knownEvery, overlapMilliseconds, now }: BlockChoice,
  blockAt: (number: number) => Promise<HashedBlock | undefined> | HashedBlock,
): Promise<KnownBlock[]> {
  const milliseconds = to.at - last.at
  if (knownEvery === undefined || milliseconds <= 2 * knownEvery) return []
  const inOverlap = Math.min(milliseconds, overlapMilliseconds)
  const numbers = Array.from({ length: Math.ceil(inOverlap / knownEvery) - 1 }, (_, index) => {
    const share = ((index + 1) * knownEvery) / milliseconds
    return to.number - Math.round((to.number - last.number) * share)
  })
  const missing = [...new Set(numbers)].filter((number) => number > last.number).reverse()
  const found = await Promise.all(missing.map(blockAt))
  return found.flatMap((block) => (block ? [{ ...block, readAt: now }] : []))
}

/** The first block of the overlap, or an earlier one if not all events before it are logged: its length is a setting. */
function firstToRead(
  { log }: FollowPosition,
  blocks: readonly KnownBlock[],
  last: HashedBlock,
  { overlapMilliseconds }: BlockChoice,
): KnownBlock {
  const first = firstOfOverlap(blocks, last, overlapMilliseconds)
  if (!log || first.number <= log.loggedUpTo.number + 1) return first
  return blocks.findLast(({ number }) => number <= log.loggedUpTo.number + 1) ?? first
}

/**
 * Throws IndexerUnavailable unless the times of the blocks are in order: otherwise the overlap would be wrong for good.
 */
function inOrder(chosen: ChosenBlocks, head: HashedBlock): ChosenBlocks {
  const times = [...chosen.blocks, chosen.to, head].map(({ at }) => at)
  if (times.some((at, index) => at < (times[index - 1] ?? at))) {
    throw new IndexerUnavailable('malformed answer: blocks whose times are not in order')
  }
  return chosen
}

/** The overlap of a step that knows nothing of the blocks before it. */
const anew = (first: KnownBlock) => ({ first, blocks: [first] })

/** The overlap of a step after blocks were replaced: what it asks about again later, because the node that has told it can be behind. */
function begunWith(first: HashedBlock, { log, settling }: FollowPosition, now: number) {
  // What has settled before it is as good as a later comparison says.
  const known = { ...first, ...((log ?? settling) && { readAt: now }) }
  const { declared } = settling ?? {}
  const isLater = declared && declared.number > first.number && declared.at >= first.at
  const later = isLater ? [{ ...declared, readAt: now }] : []
  return { ...anew(known), blocks: [known, ...later] }
}

/** The number of a block that is usually as old as the overlap is long. */
function firstNumber(
  chain: Chain,
  head: HashedBlock,
  { overlapMilliseconds }: BlockChoice,
): number {
  const blocks = Math.ceil(overlapMilliseconds / (chains[chain].blockSeconds * 1_000))
  return Math.max(0, head.number - blocks)
}
