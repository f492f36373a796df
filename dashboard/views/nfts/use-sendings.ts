import { useEffect, useState } from 'preact/hooks'
import { useClient } from '../../shell/client.ts'
import { useLoad } from '../../shell/use-load.ts'
import type { Sending } from './sending.ts'
import { sendings } from './sendings.ts'

/** The lists of the product that are being sent or can be continued. */
export interface ProductSendings {
  /** The product of the API key; `undefined` until it is known. */
  productId: string | undefined
  list: readonly Sending[]
}

/** Returns the lists of the product, and renders again while they are sent. */
export function useSendings(): ProductSendings {
  const client = useClient()
  const { data: productId } = useLoad(
    async (signal) => (await client.getProduct({ signal })).productId,
    [client],
  )
  const [, render] = useState(0)
  useEffect(() => sendings.subscribe(() => render((count) => count + 1)), [])
  useEffect(() => {
    if (productId !== undefined) void sendings.restore(productId)
  }, [productId])
  return { productId, list: productId === undefined ? [] : sendings.list(productId) }
}
