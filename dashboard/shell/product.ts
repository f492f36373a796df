import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Product } from '../../clients/typescript/src/types.ts'
import { useApiKey, useClient } from './client.ts'
import { type Loaded, useLoad } from './use-load.ts'

/** The product of the session. */
interface SessionProduct extends Loaded<Product | undefined> {
  /** Shows the product that a change has returned. */
  replace(product: Product): void
}

const ProductContext = createContext<SessionProduct | undefined>(undefined)

/** Gives the views the product of the session. */
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
export function useProduct(): SessionProduct {
  const product = useContext(ProductContext)
  if (!product) throw new Error('useProduct needs a ProductProvider above it')
  return product
}
