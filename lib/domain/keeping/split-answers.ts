import { hasBegun, type SettlingPosition, type SplitAnswer } from '../holdings/kept-contract.ts'
import { eventKey, type KeptEvent } from '../holdings/kept-event.ts'
import type { Address } from '../nft/address.ts'
import { maxClockDifference } from '../time-budget.ts'
import {
  type BlockAt,
  callsOf,
  isInChain,
  lastsOfCalls,
  type PolledAnswer,
  type PolledContract,
} from './polled-contract.ts'

/**
 * How far apart polls are that cannot all have reached the same node that is behind, in milliseconds, also if clocks
 * differ.
 */
const apartMilliseconds = 8_000 + maxClockDifference

type Clarity =
  | {
      isClear: true
      counted: readonly PolledContract[]
      upTo: number
      answer?: SplitAnswer | undefined
    }
  /** `answer`: what the next poll is compared with; absent if it stays what it was. */
  | { isClear: false; answer?: SplitAnswer | undefined }

/**
 * Decides up to which block an answer counts. The nodes behind one address are not at one block, so what was read for a contract by
 * several calls counts only up to the last block of the poll before, and only if that poll has read the same long enough ago.
 */
export async function clarityOf(
  polled: readonly PolledContract[],
  read: PolledAnswer,
  step: { to: number; settling: SettlingPosition | undefined; blockAt: BlockAt },
): Promise<Clarity> {
  const { to, settling, blockAt } = step
  const isSplit = polled.some((each) => callsOf(each, read.calls).length > 1)
  if (!isSplit) return { isClear: true, counted: polled, upTo: to }
  const answer = splitAnswer(polled, read, to)
  const before = settling?.answer
  if (!settling) return { isClear: true, counted: polled, upTo: to, answer }
  if (!before) return { isClear: false, answer }
  if (read.askedAt - before.answeredAt < apartMilliseconds) return { isClear: false }
  // A contract of which nothing is kept yet waits for the next poll, and no other contract for it.
  const counted = polled.filter(
    ({ contract }) => before.events[contract.address] || hasBegun(contract),
  )
  if (!counted.every((each) => saysTheSame(each, read, before))) return { isClear: false, answer }
  const events = counted.map(({ contract: { address } }) => {
    const its = eventsOf(address, read.events).filter(({ block }) => block <= before.readUpTo)
    return [address, its] as const
  })
  const lasts = await Promise.all(lastsOfCalls(read.calls, new Map(events)).map(isInChain(blockAt)))
  if (lasts.includes(false)) return { isClear: false, answer }
  return { isClear: true, counted, upTo: before.readUpTo, answer }
}

/** The events of an answer that fit the position of the chain. With more of them, the chain is not kept up with. */
const maxNotedEvents = 4_000

/** What the next poll is compared with; `undefined` if there is no place for it. */
function splitAnswer(
  polled: readonly PolledContract[],
  { events, answeredAt }: PolledAnswer,
  readUpTo: number,
): SplitAnswer | undefined {
  const count = [...events.values()].reduce((sum, each) => sum + each.events.length, 0)
  if (count > maxNotedEvents) return undefined
  const keys = polled.map(({ contract: { address } }) => [
    address,
    eventsOf(address, events).map((event) => [event.block, eventKey(event)] as const),
  ])
  return { readUpTo, answeredAt, events: Object.fromEntries(keys) }
}

const eventsOf = (address: Address, events: PolledAnswer['events']): readonly KeptEvent[] =>
  events.get(address)?.events ?? []

/** Whether a poll has read the same of a contract as the one before, as far as both have read it. */
function saysTheSame(
  { contract: { address }, after }: PolledContract,
  { events }: PolledAnswer,
  before: SplitAnswer,
): boolean {
  const earlier = before.events[address]?.filter(([block]) => block > after)
  const now = eventsOf(address, events).filter(({ block }) => block <= before.readUpTo)
  return (
    earlier !== undefined &&
    earlier.length === now.length &&
    now.every((event, index) => eventKey(event) === earlier[index]?.[1])
  )
}
