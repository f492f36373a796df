import type { Chain } from '../nft/chain.ts'
import type { EventStart } from '../nft-events/event-start.ts'
import { placeOf } from '../nft-events/merge-logs.ts'
import type { NftEvent } from '../nft-events/nft-event.ts'
import { countEvent, endedMinutes, type MinuteCounts } from './events-per-minute.ts'

interface DeliveryPlace {
  position: EventStart
  minutes: MinuteCounts
}

/** An event that is to be sent, and how far the webhook is before that. */
interface PageMessage extends DeliveryPlace {
  event: NftEvent
}

/** Events of a product that were read from a position on. */
export interface ReadPage {
  events: readonly NftEvent[]
  next: EventStart
  hasMore: boolean
  /** Up to which time the logs of each chain are complete. */
  completeUpTo: ReadonlyMap<Chain, number>
}

/** What is sent of a page, how far the webhook is after it, and whether a minute with events that were left out is not over yet. */
export interface PageMessages {
  messages: PageMessage[]
  after: DeliveryPlace
  isOpen: boolean
}

/** What a webhook is sent of a page (D122). `wants`: whether it gets events of this kind. */
export function messagesOf(
  page: ReadPage,
  { position: start, minutes }: DeliveryPlace,
  { wants, eventsPerMinute }: { wants: (event: NftEvent) => boolean; eventsPerMinute: number },
): PageMessages {
  const messages: PageMessage[] = []
  let counts = minutes
  const add = (events: readonly NftEvent[], position: EventStart) =>
    messages.push(...events.filter(wants).map((event) => ({ event, position, minutes: counts })))
  for (const [index, event] of page.events.entries()) {
    if (!wants(event)) continue
    const position = positionBefore(page, start, index)
    const counted = countEvent(counts, event, eventsPerMinute)
    add(counted.notices, position)
    if (!counted.isLeftOut) add([event], position)
    counts = counted.counts
  }
  if (page.hasMore) {
    return { messages, after: { position: page.next, minutes: counts }, isOpen: false }
  }
  const ended = endedMinutes(counts, page.completeUpTo)
  add(ended.notices, page.next)
  return {
    messages,
    after: { position: page.next, minutes: ended.counts },
    isOpen: ended.isOpen,
  }
}

/**
 * The position from which a page is read that begins with this event, and with those that have its place. What tells of events that
 * are not kept any more has no place in the log: it is told again from where the page began.
 */
function positionBefore({ events, next }: ReadPage, start: EventStart, index: number): EventStart {
  const event = events[index] as NftEvent
  const chains = new Map(start.chains)
  for (const { chain } of events.slice(0, index)) {
    const after = next.chains.get(chain)
    if (chain !== event.chain && after) chains.set(chain, after)
  }
  const isExpired = event.content.kind === 'missed' && event.content.reason === 'expired'
  if (!isExpired) chains.set(event.chain, placeOf(event))
  return { chains, since: start.since }
}
