import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../../clients/typescript/src/errors.ts'
import type { ProductEvent } from '../../../clients/typescript/src/types.ts'
import { useClient } from '../../shell/shell-context.ts'
import {
  type EventFilter,
  type EventPages,
  isComplete,
  isPaused,
  matches,
  noPages,
  pageSize,
  withPage,
  writeFilter,
} from './event-filter.ts'

/** The events that a filter shows, as far as they are read. */
export interface ShownEvents {
  readonly events: readonly ProductEvent[]
  /** All events that are read, shown or not. */
  readonly read: readonly ProductEvent[]
  readonly isComplete: boolean
  readonly isPaused: boolean
  readonly isLoading: boolean
  readonly error: unknown
  /** Whether the list was read anew because the service refused the cursor of its next page. */
  readonly hasBegunAnew: boolean
  /** Reads further events, because the user comes near the end of those that are shown. */
  readMore(): void
  /** Reads on after a pause or an error. */
  readOn(): void
  /** Reads the list anew. */
  reload(): void
}

interface State {
  readonly pages: EventPages
  readonly isLoading: boolean
  readonly error: unknown
  readonly hasBegunAnew: boolean
}

const initial: State = { pages: noPages, isLoading: false, error: undefined, hasBegunAnew: false }

/** Reads the events page by page. A change of the filter keeps what is read. */
export function useEvents(filter: EventFilter): ShownEvents {
  const client = useClient()
  const [state, setState] = useState(initial)
  const latest = useRef(state)
  const controller = useRef(new AbortController())
  const update = (changes: Partial<State>) => {
    latest.current = { ...latest.current, ...changes }
    setState(latest.current)
  }

  const read = async (pages: EventPages) => {
    const { signal } = controller.current
    update({ pages, isLoading: true, error: undefined })
    const { cursor } = pages
    try {
      const page = await client.getEvents({ limit: pageSize(filter), cursor }, { signal }).page()
      if (!signal.aborted) update({ pages: withPage(pages, page, filter), isLoading: false })
    } catch (error) {
      if (signal.aborted) return
      if (cursor === undefined || !isRefusedCursor(error))
        return update({ isLoading: false, error })
      update({ hasBegunAnew: true })
      await read(noPages)
    }
  }

  const readNext = (continued?: 'continued') => {
    const { pages, isLoading, error } = latest.current
    if (isLoading || isComplete(pages, filter)) return
    if (!continued && (error !== undefined || isPaused(pages))) return
    void read({ ...pages, emptyPages: continued ? 0 : pages.emptyPages })
  }
  const reload = () => {
    controller.current.abort()
    controller.current = new AbortController()
    latest.current = initial
    void read(noPages)
  }

  // How many shown events the list asks for: each page that shows none is followed by another one.
  const wanted = useRef(1)
  const readMore = () => {
    wanted.current = shown.length + 1
    readNext()
  }
  const shown = state.pages.events.filter((event) => matches(event, filter))
  useEffect(() => {
    if (shown.length < wanted.current) readNext()
  })
  // A pause is about one filter
  useEffect(
    () => update({ pages: { ...latest.current.pages, emptyPages: 0 } }),
    [writeFilter(filter)],
  )
  // Another key can belong to another product.
  useEffect(() => {
    reload()
    return () => controller.current.abort()
  }, [client])

  const { pages, ...rest } = state
  return {
    ...rest,
    events: shown,
    read: pages.events,
    isComplete: isComplete(pages, filter),
    isPaused: isPaused(pages),
    readMore,
    readOn: () => readNext('continued'),
    reload,
  }
}

const isRefusedCursor = (error: unknown) =>
  error instanceof ApiError &&
  (error.code === 'cursor_expired' || error.errors.some(({ path }) => path === 'cursor'))
