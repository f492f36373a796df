import type { Product, ProductId } from '../../domain/product/product.ts'
import { permitOf } from '../../domain/sign-in/product-sign-in.ts'
import { type FieldCondition, updateItem } from './item-writes.ts'
import { productKey } from './keys/product-partition.ts'
import type { Table } from './table.ts'

/** What the operator permits products of sign-in, in the table: an attribute of the item of the product (D115). */
export const dynamoSignInPermits = (table: Table) => ({
  /**
   * Permits sign-in for the product as the operator has seen it. Returns false, and permits nothing, if its name, its company or its
   * hosts have changed since, or if it is deleted. Safe to repeat.
   */
  permit: (productId: ProductId, product: Product) =>
    updateItem(table, productKey(productId), {
      set: { signInPermit: permitOf(product) },
      conditions: [
        ['endedAt', 'absent'],
        ['name', '=', product.name],
        ['companyName', '=', product.companyName],
        ...areDomains(product),
      ],
    }),

  /** Takes the permission back, also of a product without one. Returns false if there is no such product. */
  withdraw: (productId: ProductId) =>
    updateItem(table, productKey(productId), {
      remove: ['signInPermit'],
      conditions: [
        ['endedAt', 'absent'],
        ['createdAt', 'exists'],
      ],
    }),
})

/** The conditions that a product has exactly these hosts. They name each one, because emulators do not compare lists. */
const areDomains = ({ signInDomains }: Product): FieldCondition[] =>
  signInDomains
    ? [
        ...signInDomains.map((domain, index) => [`signInDomains[${index}]`, '=', domain] as const),
        [`signInDomains[${signInDomains.length}]`, 'absent'],
      ]
    : [['signInDomains', 'absent']]
