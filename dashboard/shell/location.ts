import { useLayoutEffect, useState } from 'preact/hooks'
import { newChanges } from './changes.ts'
import { pageAt } from './page-paths.ts'

/** The navigations inside the dashboard. */
const { subscribe, changed } = newChanges()

/** How often the user has navigated since the page was loaded. */
let navigations = 0

/** Whether the shown page was reached by a link inside the dashboard, rather than by loading it. */
export const wasNavigated = (): boolean => navigations > 0

/**
 * Goes to a path of the dashboard, with its query. `replace` leaves no entry in the history, so that Back skips the
 * present page.
 */
export function navigate(to: string, { replace = false } = {}): void {
  const before = location.pathname
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  if (location.pathname !== before) navigations += 1
  changed()
}

/** Changes parameters of the query of this page; `undefined` or an empty text removes one. */
export function setQuery(
  changes: Readonly<Record<string, string | undefined>>,
  options?: { replace?: boolean },
): void {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const text = query.toString()
  navigate(text ? `${location.pathname}?${text}` : location.pathname, options)
}

const here = () => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
})

/** Returns where the user is, and renders again after each navigation. */
export function usePlace(): ReturnType<typeof here> {
  const [place, setPlace] = useState(here)
  // Not useEffect, which runs after the browser has painted: what somebody chooses before would be lost.
  useLayoutEffect(() => subscribe(() => setPlace(here())), [])
  return place
}

/** Returns the query of this page, and renders again when it changes. */
export const useQuery = (): URLSearchParams => usePlace().query

/**
 * Makes links to pages of the dashboard, and the history, navigate without loading: views use plain `<a href="/keys">`. Links with a
 * `target` or `download`, to other sites, and clicks that open a new tab stay as they are.
 */
export function followLinks(): void {
  addEventListener('popstate', () => {
    navigations += 1
    changed()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || event.defaultPrevented || event.button !== 0 || link.target || link.download)
      return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (link.origin !== location.origin || !pageAt(link.pathname)) return
    if (link.hash && link.pathname === location.pathname) return
    event.preventDefault()
    navigate(link.pathname + link.search)
  })
}
