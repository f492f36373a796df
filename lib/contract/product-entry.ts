import type * as v from 'valibot'
import type { Product, ProductId } from '../domain/product.ts'
import type { productInformation } from './answers.ts'

/** A product as a response shows it: the website has both of its names (D7, D45). */
export const productEntry = (
  productId: ProductId,
  product: Product,
): v.InferInput<typeof productInformation> => ({
  productId,
  ...product,
  websiteLink: product.website,
})
