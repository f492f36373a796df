import type { ProductEvent } from '../../../clients/typescript/src/types.ts'
import { isolated } from '../../components/foreign-text.tsx'
import { TimeAgo } from '../../components/time.tsx'
import { isByService } from './event-filter.ts'
import { type NameOfKey, sentenceOf } from './sentences.ts'

/** An event in the list. A click shows everything about it. */
export const EventRow = ({
  event,
  nameOf,
  now,
  onOpen,
}: {
  event: ProductEvent
  nameOf: NameOfKey
  now: number
  onOpen: () => void
}) => (
  <button type="button" class="event-row" onClick={onOpen}>
    <span class="event-what">
      <span class="event-sentence">{sentenceOf(event, nameOf)}</span>
      <OutcomeBadge outcome={event.outcome} />
    </span>
    <span class="event-facts">
      <TimeAgo time={event.at} now={now} />
      <span>{makerOf(event, nameOf)}</span>
      {event.contractAddress !== null && (
        <span class="event-contract mono">
          {event.chain} {event.contractAddress}
        </span>
      )}
    </span>
  </button>
)

/** Who made the change: a key by its name, the operator, or the service itself. */
export function makerOf(event: ProductEvent, nameOf: NameOfKey): string {
  if (event.keyId !== null) return `Key ${isolated(nameOf(event.keyId))}`
  return isByService(event) ? 'The service itself' : 'Operator of the service'
}

/** How a change ended, unless it is done, as almost all are. */
function OutcomeBadge({ outcome }: { outcome: ProductEvent['outcome'] }) {
  if (outcome === 'done') return null
  return outcome === 'failed' ? (
    <span class="badge is-danger">Failed</span>
  ) : (
    <span class="badge is-warning">End not known</span>
  )
}
