import { useEffect, useState } from 'preact/hooks'
import { useProduct } from '../../shell/product.ts'
import type { Sending } from './sending.ts'
import { sendings } from './sendings.ts'

/** The lists of the product that are being sent or can be continued. */
export interface ProductSendings {
  /** The product of the API key; `undefined` until it is known. */
  productId: string | undefined
  list: readonly Sending[]
  /** How many NFTs of a contract are at least on its allowlist, as far as this tab knows. */
  knownOf(contract: { chain: string; address: string }): number
}

/** Returns the lists of the product, and renders again while they are sent. */
export function useSendings(): ProductSendings {
  const productId = useProduct().data?.productId
  const [, render] = useState(0)
  useEffect(() => sendings.subscribe(() => render((count) => count + 1)), [])
  useEffect(() => {
    if (productId !== undefined) void sendings.restore(productId)
  }, [productId])
  if (productId === undefined) return { productId, list: [], knownOf: () => 0 }
  return {
    productId,
    list: sendings.list(productId),
    knownOf: (contract) => sendings.known.of({ ...contract, productId }),
  }
}
