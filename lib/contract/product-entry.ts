import type * as v from 'valibot'
import type { ShownLimit } from '../domain/limit/limit.ts'
import type { Product, ProductId } from '../domain/product/product.ts'
import type { productInformation } from './answers.ts'

/**
 * A product as a response shows it: the website has both of its names (D7, D45), and the limits of the
 * product are shown if there are any (D64).
 */
export const productEntry = (
  productId: ProductId,
  product: Product,
  limits: readonly ShownLimit[],
): v.InferInput<typeof productInformation> => ({
  productId,
  ...product,
  websiteLink: product.website,
  ...(limits.length > 0 && { limits: [...limits] }),
})
