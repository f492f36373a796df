import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { PlayerNfts } from '../../clients/typescript/src/client.ts'
import type { Product } from '../../clients/typescript/src/types.ts'
import { useChanges } from './changes.ts'
import type { DashboardConfig } from './dashboard-config.ts'
import type { NewSecret, Session } from './session.ts'
import { type Loaded, useLoad } from './use-load.ts'

interface Shell {
  config: DashboardConfig
  session: Session
}

// The root of the page provides it, and the product.
const ShellContext = createContext({} as Shell)

export const ShellProvider = ShellContext.Provider

export const useShell = (): Shell => useContext(ShellContext)

/** The codes with which the API refuses a key that does not exist or has ended. */
const refusals = ['invalid_api_key', 'missing_api_key']

/**
 * Creates the client of a session: calls have the session's API key. When the API refuses this key, because it or the
 * product has ended, the session ends, and the page Sign in says why.
 */
function sessionClient(session: Session): PlayerNfts {
  const { apiKey } = session
  return new PlayerNfts({
    baseUrl: location.origin,
    apiKey,
    onAttempt({ code }) {
      const isRefused = code !== undefined && refusals.includes(code)
      // The session can have another key by now.
      if (isRefused && apiKey !== undefined && session.apiKey === apiKey) session.end('refused')
    },
  })
}

/** Returns a client without an API key, to register a product, or with another key than that of the session. */
export const clientWithKey = (apiKey?: string): PlayerNfts =>
  new PlayerNfts({ baseUrl: location.origin, apiKey })

/** Returns the client of the session. It is another one after a change of the key. */
export function useClient(): PlayerNfts {
  const { session } = useShell()
  const apiKey = useApiKey()
  // The key is a part of the session
  return useMemo(() => sessionClient(session), [session, apiKey])
}

/** Returns the API key of the session, or `undefined`, and renders again when it changes. */
export function useApiKey(): string | undefined {
  const { session } = useShell()
  useChanges(session)
  return session.apiKey
}

/** Returns a function that shows a new secret of the product, and returns whether it has done so. */
export function useShowNewSecret(): (newSecret: NewSecret) => boolean {
  const { session } = useShell()
  const apiKey = useApiKey()
  return (newSecret) => {
    // The user can have signed out, and in to another product, before the response came.
    if (session.apiKey !== apiKey && session.ended !== 'refused') return false
    session.showNewSecret(newSecret)
    return true
  }
}

type SessionProduct = Loaded<Product | undefined>

const ProductContext = createContext({} as SessionProduct)

export const ProductProvider = ProductContext.Provider

/** Loads the product of the session, once for all views. Without a session there is none. */
export function useSessionProduct(): SessionProduct {
  const client = useClient()
  const apiKey = useApiKey()
  return useLoad(
    async (signal) => (apiKey === undefined ? undefined : await client.getProduct({ signal })),
    [apiKey],
  )
}

/** Returns the product of the session, which can still be loading. */
export const useProduct = (): SessionProduct => useContext(ProductContext)
