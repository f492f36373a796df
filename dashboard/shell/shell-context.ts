import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { DashboardConfig } from './dashboard-config.ts'
import type { Session } from './session.ts'

/** What every view can use. */
interface Shell {
  config: DashboardConfig
  session: Session
}

const ShellContext = createContext<Shell | undefined>(undefined)

/** Gives the views below it what they can use. */
export const ShellProvider = ShellContext.Provider

/** Returns the configuration and the session. */
export function useShell(): Shell {
  const shell = useContext(ShellContext)
  if (!shell) throw new Error('useShell needs a ShellProvider above it')
  return shell
}
