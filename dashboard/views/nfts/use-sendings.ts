import { useEffect, useState } from 'preact/hooks'
import { useProduct } from '../../shell/product.ts'
import type { Sending } from './sending.ts'
import { sendings } from './sendings.ts'

/** The lists of the product that are being sent or can be continued. */
interface ProductSendings {
  /** The product of the API key; `undefined` until it is known. */
  productId: string | undefined
  list: readonly Sending[]
}

/** Returns the lists of the product, and renders again while they are sent. */
export function useSendings(): ProductSendings {
  const productId = useProduct().data?.productId
  const [, render] = useState(0)
  useEffect(() => sendings.subscribe(() => render((count) => count + 1)), [])
  useEffect(() => {
    if (productId !== undefined) void sendings.restore(productId)
  }, [productId])
  return { productId, list: productId === undefined ? [] : sendings.list(productId) }
}
