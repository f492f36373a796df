import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { NftEvent } from '../nft-events/nft-event.ts'

/** Blocks with events that were left out, of one contract. */
interface LeftOut {
  fromBlock: number
  toBlock: number
  /** The time of the last of them, in milliseconds since 1970. */
  at: number
}

/** How many events of the latest minute of a chain a webhook has had, and what was left out of it. */
interface MinuteCount {
  /** The minute since 1970, by the times of blocks. */
  minute: number
  count: number
  leftOut: Readonly<Partial<Record<Address, LeftOut>>>
}

export type MinuteCounts = Readonly<Partial<Record<Chain, MinuteCount>>>

const minuteOf = (milliseconds: number): number => Math.floor(milliseconds / 60_000)

interface CountedEvent {
  counts: MinuteCounts
  /** What was left out of an earlier minute, and is told before the event. */
  notices: readonly NftEvent[]
  /** Whether the event itself is left out. */
  isLeftOut: boolean
}

/**
 * Counts an event of a webhook, of which there are at most `limit` in each minute of a chain (D122): those beyond it are left out, and one
 * event for each contract says so when the minute is over. What tells of missed events does not count.
 */
export function countEvent(counts: MinuteCounts, event: NftEvent, limit: number): CountedEvent {
  const { chain, contract, block, content } = event
  if (content.kind === 'missed') return { counts, notices: [], isLeftOut: false }
  const minute = minuteOf(block.at)
  const current = counts[chain]
  if (!current || current.minute !== minute) {
    const next = { ...counts, [chain]: { minute, count: 1, leftOut: {} } }
    return { counts: next, notices: noticesOf(chain, current), isLeftOut: false }
  }
  const isLeftOut = current.count >= limit
  const { fromBlock = block.number } = current.leftOut[contract] ?? {}
  const leftOut = { fromBlock, toBlock: block.number, at: block.at }
  const next = isLeftOut
    ? { ...current, leftOut: { ...current.leftOut, [contract]: leftOut } }
    : { ...current, count: current.count + 1 }
  return { counts: { ...counts, [chain]: next }, notices: [], isLeftOut }
}

/**
 * What is told once chains are complete up to these times, in milliseconds since 1970, and the counts after that.
 * `isOpen`: whether something is to follow.
 */
export function endedMinutes(
  counts: MinuteCounts,
  completeUpTo: ReadonlyMap<Chain, number>,
): { counts: MinuteCounts; notices: NftEvent[]; isOpen: boolean } {
  const entries = Object.entries(counts) as [Chain, MinuteCount][]
  const isOver = ([chain, { minute }]: [Chain, MinuteCount]) =>
    minuteOf(completeUpTo.get(chain) ?? 0) > minute
  const open = entries.filter((entry) => !isOver(entry))
  return {
    counts: Object.fromEntries(open),
    notices: entries.filter(isOver).flatMap(([chain, count]) => noticesOf(chain, count)),
    // A chain that is not followed any more would leave it open for ever.
    isOpen: open.some(
      ([chain, { leftOut }]) => completeUpTo.has(chain) && Object.keys(leftOut).length > 0,
    ),
  }
}

/** The events that tell what was left out of a minute, in the order of their last blocks. */
const noticesOf = (chain: Chain, count: MinuteCount | undefined): NftEvent[] =>
  (Object.entries(count?.leftOut ?? {}) as [Address, LeftOut][])
    .toSorted(([, a], [, b]) => a.toBlock - b.toBlock)
    .map(([contract, { fromBlock, toBlock, at }]) => ({
      ...{ chain, contract, place: 0 },
      block: { number: toBlock, hash: '', at },
      content: { kind: 'missed', reason: 'busy', fromBlock, toBlock },
    }))
