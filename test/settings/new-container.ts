import { afterEach, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The settings of the functions as a new container reads them, from exactly these variables. */
export async function settingsWith(variables: Readonly<Record<string, string | undefined>>) {
  vi.stubGlobal('process', { ...process, env: variables })
  vi.resetModules()
  return {
    ...(await import('../../lib/settings/indexer.ts')),
    ...(await import('../../lib/settings/limits.ts')),
    ...(await import('../../lib/settings/login-claims.ts')),
    ...(await import('../../lib/settings/logins.ts')),
    ...(await import('../../lib/settings/player-tokens.ts')),
    ...(await import('../../lib/settings/resources.ts')),
    ...(await import('../../lib/settings/sign-in-limits.ts')),
    ...(await import('../../lib/settings/user-jwts.ts')),
    ...(await import('../../lib/settings/webhooks.ts')),
  }
}
