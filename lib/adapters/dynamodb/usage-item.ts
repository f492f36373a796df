import { branded } from '../../domain/branded.ts'
import type { ProductId } from '../../domain/product/product.ts'
import type { Day } from '../../domain/usage/usage.ts'
import type { Key } from './keys/key.ts'
import { productKey } from './keys/product-partition.ts'

// The usage of a product and day is one item in the partition of the product (D55). It has a number for each
// operation and outcome and for each limit, and the smallest digests of its players as a set of numbers.

const usagePrefix = 'USAGE#'

export const usageKey = (productId: ProductId, day: Day): Key => ({
  pk: productKey(productId).pk,
  sk: `${usagePrefix}${day}`,
})

/** The day in the sort key of a day's usage. */
export const dayFromKey = (sk: string): Day => branded(sk.slice(usagePrefix.length))

/** The prefixes of the attributes with the counts of calls, and of refused calls by limit. */
export const callPrefix = 'call:'
export const limitPrefix = 'limit:'
