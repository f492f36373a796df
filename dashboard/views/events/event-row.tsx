import type { ProductEvent } from '../../../clients/typescript/src/types.ts'
import { CopyButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { isolated } from '../../components/foreign-text.tsx'
import { TimeAgo } from '../../components/time.tsx'
import { contractPath } from '../../shell/page-paths.ts'
import { exactTime, timeAgo } from '../../shell/time-text.ts'
import { isByService } from './event-filter.ts'
import { type NameOfKey, sentenceOf } from './sentences.ts'

interface EventProps {
  event: ProductEvent
  nameOf: NameOfKey
  now: number
}

/** An event in the list. A click shows everything about it. */
export const EventRow = ({ event, nameOf, now, onOpen }: EventProps & { onOpen: () => void }) => (
  <button type="button" class="event-row bare" onClick={onOpen}>
    <span class="line strong">
      <span class="event-sentence one-line foreign">{sentenceOf(event, nameOf)}</span>
      <OutcomeBadge outcome={event.outcome} />
    </span>
    <span class="event-facts line hint">
      <TimeAgo time={event.at} now={now} />
      <span class="one-line foreign">{makerOf(event, nameOf)}</span>
      {event.contractAddress !== null && (
        <span class="event-contract one-line mono">
          {event.chain} {event.contractAddress}
        </span>
      )}
    </span>
  </button>
)

/** Who made the change: a key by its name, the operator, or the service itself. */
function makerOf(event: ProductEvent, nameOf: NameOfKey): string {
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

const outcomes: Record<ProductEvent['outcome'], string> = {
  done: 'Done: the change is complete.',
  failed: 'Failed: the request got an error. A part of the change can have taken effect.',
  unknown: 'Not known: the change has not ended, or its end was not recorded.',
}

export const EventDialog = ({
  event,
  nameOf,
  now,
  onClose,
}: EventProps & { onClose: () => void }) => (
  <Dialog title={sentenceOf(event, nameOf)} onClose={onClose}>
    <dl class="facts">
      <dt>Time</dt>
      <dd>
        {exactTime(event.at)}, {timeAgo(Date.parse(event.at), now)}
      </dd>
      <dt>By</dt>
      <dd class="foreign">{makerOf(event, nameOf)}</dd>
      <dt>Outcome</dt>
      <dd>{outcomes[event.outcome] ?? event.outcome}</dd>
      <Contract event={event} />
      {event.ranges && (
        <>
          <dt>Ranges</dt>
          <dd class="mono">{event.ranges.join(', ')}</dd>
        </>
      )}
      <dt>Operation</dt>
      <dd class="mono">{event.action}</dd>
      <Identifier label="Key" id={event.keyId} />
      <Identifier label="New key" id={event.newKeyId} />
      <Identifier label="Revoked or replaced key" id={event.endedKeyId} />
      <Identifier label="Webhook" id={event.webhookId} />
      <Identifier label="Event" id={event.eventId} />
    </dl>
  </Dialog>
)

function Contract({ event: { chain, contractAddress } }: { event: ProductEvent }) {
  if (chain === null || contractAddress === null) return null
  return (
    <>
      <dt>Contract</dt>
      <dd>
        <a class="mono" href={contractPath(chain, contractAddress)}>
          {chain} {contractAddress}
        </a>
      </dd>
    </>
  )
}

function Identifier({ label, id }: { label: string; id: string | null }) {
  if (id === null) return null
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <span class="mono">{id}</span>{' '}
        <CopyButton text={id} what={`the id: ${label.toLowerCase()}`} />
      </dd>
    </>
  )
}
