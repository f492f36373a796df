import { render } from 'preact'
import { Failure } from './components/feedback.tsx'
import { App } from './shell/app.tsx'
import type { DashboardConfig } from './shell/dashboard-config.ts'
import { DashboardError } from './shell/describe-error.ts'
import { clearLocal } from './shell/local-database.ts'
import { followLinks } from './shell/location.ts'
import { createSession } from './shell/session.ts'
import { ShellProvider } from './shell/shell-context.ts'

const root = document.querySelector('#dashboard') as HTMLElement

try {
  const response = await fetch('/config.json')
  if (!response.ok) throw settingsMissing(response.status)
  const config = (await response.json()) as DashboardConfig
  followLinks()
  if (config.isWatching) reloadAfterChanges()
  const session = createSession(sessionStorage)
  session.subscribe(() => {
    // A browser without a database has kept nothing.
    if (session.ended !== undefined && session.ended !== 'refused')
      clearLocal().catch(() => undefined)
  })
  render(
    <ShellProvider value={{ config, session }}>
      <App />
    </ShellProvider>,
    root,
  )
} catch (error) {
  render(
    <main class="view">
      <h1>Player NFTs</h1>
      <Failure error={error} retry={() => location.reload()} />
    </main>,
    root,
  )
}

function settingsMissing(status: number): Error {
  return new DashboardError(
    'The dashboard cannot start.',
    `The service does not give it its settings (HTTP ${status}). Try again in a minute.`,
  )
}

/** Loads the page again when the local stack has another version of it. */
function reloadAfterChanges(): void {
  let first: string | undefined
  new EventSource('/dev/reload').addEventListener('message', ({ data }) => {
    first ??= data
    if (data !== first) location.reload()
  })
}
