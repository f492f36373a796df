import type { ProductEvent } from '../../../clients/typescript/src/types.ts'
import { isolated } from '../../components/foreign-text.tsx'
import { exactTime, timeAgo } from '../../shell/time-text.ts'
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
      <time dateTime={event.at} title={exactTime(event.at)}>
        {timeAgo(Date.parse(event.at), now)}
      </time>
      <span>{makerOf(event, nameOf)}</span>
      {event.contractAddress !== null && (
        <span class="event-contract mono">
          {event.chain} {event.contractAddress}
        </span>
      )}
    </span>
  </button>
)

/** Who made the change: a key by its name, or the operator. */
export const makerOf = ({ keyId }: ProductEvent, nameOf: NameOfKey): string =>
  keyId === null ? 'Operator of the service' : `Key ${isolated(nameOf(keyId))}`

/** How a change ended, unless it is done, as almost all are. */
function OutcomeBadge({ outcome }: { outcome: ProductEvent['outcome'] }) {
  if (outcome === 'done') return null
  return outcome === 'failed' ? (
    <span class="badge is-danger">Failed</span>
  ) : (
    <span class="badge is-warning">End not known</span>
  )
}
