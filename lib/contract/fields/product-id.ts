import * as v from 'valibot'
import { parseProductId } from '../../domain/product/product.ts'
import { documented, parsed, string } from './rules.ts'

/** The id of a product, read into its stored form (D52). */
export const productId = v.pipe(
  string('0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e'),
  documented({ format: 'uuid' }),
  parsed((text, addFault) => parseProductId(text) ?? addFault('must be a UUID')),
)
