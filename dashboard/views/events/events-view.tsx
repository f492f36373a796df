import { useMemo, useState } from 'preact/hooks'
import type { ProductEvent } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState, Failure, Notice, Progress } from '../../components/feedback.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { VirtualList } from '../../components/virtual-list.tsx'
import { useQuery } from '../../shell/location.ts'
import { useClient } from '../../shell/shell-context.ts'
import { exactTime } from '../../shell/time-text.ts'
import { useLoad } from '../../shell/use-load.ts'
import { useNow } from '../../shell/use-now.ts'
import { readFilter } from './event-filter.ts'
import { EventFilters } from './event-filters.tsx'
import { EventDialog, EventRow } from './event-row.tsx'
import { keyNames, type NameOfKey } from './sentences.ts'
import { type ShownEvents, useEvents } from './use-events.ts'

const rowHeight = 84

/** The page Events: the changes of the product, newest first. */
export function EventsView() {
  const client = useClient()
  const filter = readFilter(useQuery())
  const shown = useEvents(filter)
  // Without the keys, their ids name them.
  const { data: keys = [] } = useLoad((signal) => client.listKeys({ signal }), [client])
  const nameOf = useMemo(() => keyNames(keys), [keys])
  return (
    <>
      <PageHeading
        title="Events"
        actions={
          <Button onClick={shown.reload} isBusy={shown.isLoading}>
            Refresh
          </Button>
        }
      >
        Every change of your game in the last 400 days. Reads are not listed.
      </PageHeading>
      <div class="stack" aria-busy={shown.isLoading}>
        <EventFilters filter={filter} keys={keys} />
        {shown.hasRestarted && (
          <Notice title="The list begins again from the top.">
            <p>The service no longer accepted the position in the list.</p>
          </Notice>
        )}
        <EventList shown={shown} nameOf={nameOf} />
        <ListEnd shown={shown} />
      </div>
    </>
  )
}

function EventList({ shown, nameOf }: { shown: ShownEvents; nameOf: NameOfKey }) {
  const now = useNow(30_000)
  const [opened, setOpened] = useState<ProductEvent>()
  if (shown.events.length === 0) return null
  return (
    <div class="card event-list">
      <VirtualList
        count={shown.events.length}
        rowHeight={rowHeight}
        label="Events"
        onNearEnd={shown.readMore}
        renderRow={(index) => {
          const event = shown.events[index]
          return (
            event && (
              <EventRow event={event} nameOf={nameOf} now={now} onOpen={() => setOpened(event)} />
            )
          )
        }}
      />
      {opened && (
        <EventDialog
          event={opened}
          nameOf={nameOf}
          now={now}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  )
}

function ListEnd({ shown }: { shown: ShownEvents }) {
  const oldest = shown.read.at(-1)
  if (shown.error !== undefined) return <Failure error={shown.error} retry={shown.readOn} />
  if (shown.isLoading) return <Progress label="Loading events…" />
  if (shown.isPaused && !shown.isComplete && oldest) {
    return (
      <Notice title={`The events since ${exactTime(oldest.at)} are searched.`}>
        <div class="actions">
          <Button onClick={shown.readOn}>Search older events</Button>
        </div>
      </Notice>
    )
  }
  if (shown.events.length === 0 && shown.isComplete) {
    return (
      <EmptyState title="No such events">
        No change of the last 400 days matches the filters.
      </EmptyState>
    )
  }
  return null
}
