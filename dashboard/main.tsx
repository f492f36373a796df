import { render } from 'preact'
import { App } from './shell/app.tsx'
import type { DashboardConfig } from './shell/dashboard-config.ts'
import { clearLocal } from './shell/local-database.ts'
import { followLinks } from './shell/location.ts'
import { reloadAfterChanges } from './shell/reload.ts'
import { createSession } from './shell/session.ts'
import { ShellProvider } from './shell/shell-context.ts'
import { StartFailure } from './shell/start-failure.tsx'

const root = document.querySelector('#dashboard') as HTMLElement

try {
  const response = await fetch('/config.json')
  if (!response.ok) throw new Error(`/config.json: HTTP ${response.status}`)
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
  render(<StartFailure error={error} />, root)
}
