import { useEffect, useMemo, useState } from 'preact/hooks'
import { ApiError } from '../../clients/typescript/src/errors.ts'
import type { Page } from '../../clients/typescript/src/list.ts'

/** Reads the page of a cursor, or the first page. */
type ReadPage<Entry> = (
  cursor: string | undefined,
  signal: AbortSignal,
) => Promise<Pick<Page<Entry>, 'data' | 'nextCursor'>>

interface LoadedPage<Entry> {
  cursor: string | undefined
  entries: readonly Entry[]
}

interface PagedListState<Entry> {
  pages: readonly LoadedPage<Entry>[]
  entries: readonly Entry[]
  isLoading: boolean
  isComplete: boolean
  /** Whether the list began anew, because the service refused its cursor. */
  hasRestarted: boolean
  /** Why the latest page could not be loaded. */
  error: unknown
}

const beginning = {
  pages: [],
  entries: [],
  isLoading: false,
  isComplete: false,
  hasRestarted: false,
  error: undefined,
}

/** Loads a list of the API page by page, on request, so that a long list is never loaded as a whole. */
export class PagedList<Entry> {
  readonly #read: ReadPage<Entry>
  readonly #start: string | undefined
  readonly #onChange: () => void
  #next: string | undefined
  #controller = new AbortController()

  /** The state; another object after each change. */
  state: PagedListState<Entry> = beginning

  /** `start`: the cursor of the first page. `onChange` is called after each change of the state. */
  constructor(read: ReadPage<Entry>, start: string | undefined, onChange: () => void) {
    this.#read = read
    this.#start = start
    this.#next = start
    this.#onChange = onChange
  }

  /** Loads the next page, unless one is being loaded, the list is complete, or the latest page has failed. */
  async loadMore(): Promise<void> {
    if (this.state.error === undefined) await this.retry()
  }

  /** Loads the next page, also after a failure. */
  async retry(): Promise<void> {
    if (this.state.isLoading || this.state.isComplete) return
    const { signal } = this.#controller
    const cursor = this.#next
    this.#set({ isLoading: true, error: undefined })
    try {
      const { data, nextCursor } = await this.#read(cursor, signal)
      if (signal.aborted) return
      this.#next = nextCursor
      const pages = [...this.state.pages, { cursor, entries: data }]
      this.#set({ pages, isLoading: false, isComplete: nextCursor === undefined })
      // An empty page is not the last one as long as another follows (D60).
      if (data.length === 0) await this.loadMore()
    } catch (error) {
      if (signal.aborted) return
      if (!isRefusedCursor(error) || cursor === this.#start) this.#set({ isLoading: false, error })
      else await this.#restart({ ...beginning, hasRestarted: true })
    }
  }

  async reload(): Promise<void> {
    this.close()
    this.#controller = new AbortController()
    await this.#restart(beginning)
  }

  /** Ends the calls that are under way. */
  close(): void {
    this.#controller.abort()
  }

  /** Removes entries from the part that is loaded. */
  remove(isRemoved: (entry: Entry) => boolean): void {
    this.#replace(({ entries }) => entries.filter((entry) => !isRemoved(entry)))
  }

  /** Loads those pages again that have one of these entries, and returns the entries of these pages. */
  async reread(isWanted: (entry: Entry) => boolean, signal: AbortSignal): Promise<Entry[]> {
    const pages = this.state.pages.filter(({ entries }) => entries.some(isWanted))
    const read = await Promise.all(pages.map(({ cursor }) => this.#read(cursor, signal)))
    const byCursor = new Map(pages.map(({ cursor }, index) => [cursor, read[index]?.data ?? []]))
    this.#replace(({ cursor, entries }) => byCursor.get(cursor) ?? entries)
    return [...byCursor.values()].flat()
  }

  async #restart(state: PagedListState<Entry>): Promise<void> {
    this.#next = this.#start
    this.state = state
    await this.retry()
  }

  #replace(entriesOf: (page: LoadedPage<Entry>) => readonly Entry[]): void {
    this.#set({ pages: this.state.pages.map((page) => ({ ...page, entries: entriesOf(page) })) })
  }

  #set(changes: Partial<PagedListState<Entry>>): void {
    const { pages = this.state.pages } = changes
    this.state = { ...this.state, ...changes, entries: pages.flatMap(({ entries }) => entries) }
    this.#onChange()
  }
}

const isRefusedCursor = (error: unknown) =>
  error instanceof ApiError &&
  (error.code === 'cursor_expired' || error.errors.some(({ path }) => path === 'cursor'))

/** Loads a list anew when one of `inputs` changes, and renders again after each change. `start`: the cursor of its first page. */
export function usePagedList<Entry>(
  read: ReadPage<Entry>,
  inputs: readonly unknown[],
  start?: string,
): PagedList<Entry> {
  const [, render] = useState(0)
  const list = useMemo(
    () => new PagedList(read, start, () => render((count) => count + 1)),
    [...inputs, start],
  )
  useEffect(() => {
    void list.reload()
    return () => list.close()
  }, [list])
  return list
}
