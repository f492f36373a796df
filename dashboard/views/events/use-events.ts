import { useEffect, useRef } from 'preact/hooks'
import type { ProductEvent } from '../../../clients/typescript/src/types.ts'
import { usePagedList } from '../../shell/paged-list.ts'
import { useClient } from '../../shell/shell-context.ts'
import {
  type EventFilter,
  isBeyond,
  isPaused,
  matches,
  pageSize,
  writeFilter,
} from './event-filter.ts'

export type ShownEvents = ReturnType<typeof useEvents>

/** Reads the events page by page. A change of the filter keeps what is read. */
export function useEvents(filter: EventFilter) {
  const client = useClient()
  const limit = useRef(0)
  limit.current = pageSize(filter)
  const list = usePagedList<ProductEvent>(
    (cursor, signal) => client.getEvents({ limit: limit.current, cursor }, { signal }).page(),
    [client],
  )
  const rendered = list.state
  const { pages, entries, ...state } = rendered
  const events = entries.filter((event) => matches(event, filter))
  const isComplete = state.isComplete || isBeyond(entries, filter)
  // A pause is about one filter.
  const search = useRef({ filter: '', fromPage: 0 })
  if (search.current.filter !== writeFilter(filter)) {
    search.current = { filter: writeFilter(filter), fromPage: pages.length }
  }
  const searched = pages.slice(search.current.fromPage).map((page) => page.entries)
  const hasPaused = isPaused(searched, filter)

  // How many shown events the list asks for: each page that shows none is followed by another one.
  const wanted = useRef(1)
  const readNext = () => {
    // What has changed since is rendered next, and decides then.
    if (list.state === rendered && !isComplete && !hasPaused) void list.loadMore()
  }
  useEffect(() => {
    if (events.length < wanted.current) readNext()
  })
  return {
    ...state,
    events,
    /** All events that are read, shown or not. */
    read: entries,
    isComplete,
    isPaused: hasPaused,
    /** Reads further events, because the user comes near the end of those that are shown. */
    readMore() {
      wanted.current = events.length + 1
      readNext()
    },
    /** Reads on after a pause or an error. */
    readOn() {
      search.current.fromPage = pages.length
      void list.retry()
    },
    reload() {
      search.current.fromPage = 0
      void list.reload()
    },
  }
}
