import { row } from '../../functions/get-product/operation.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import type { KeyId, KeyReference, ProductKey } from '../../lib/domain/product/product-key.ts'
import type { StoredProduct } from '../../lib/domain/product/stored-product.ts'
import { handlerOf } from '../../lib/http/lambda.ts'

const reference: KeyReference = {
  productId: 'product' as ProductId,
  keyId: 'key' as KeyId,
}

const key: ProductKey = {
  keyId: reference.keyId,
  digest: 'digest',
  scope: 'MANAGE',
  label: 'Registration',
  last4: '3a1f',
  createdAt: '2026-11-01T00:00:00.000Z',
}

const product: StoredProduct = {
  productId: reference.productId,
  product: { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' },
  createdAt: key.createdAt,
  keys: [key],
  keysVersion: 1,
}

/** An empty operation behind the chain of all operations, with an API key that needs no lookup. */
export const chained = handlerOf(
  row,
  {
    apiKeys: { referenceOf: async () => reference },
    usage: { count: () => undefined, isDue: () => false, writeDue: async () => undefined },
    productAccess: { get: async () => product, noteUse: async () => undefined },
  },
  async () => ({
    data: {
      productId: 'product',
      name: 'Lanterns of Brindlewake',
      contactEmail: 'studio@brindlewake.example',
      companyName: 'Gull Harbour Games',
    },
  }),
)

/** An empty handler without the chain. */
export const empty = async () => ({ statusCode: 200, body: '{}' })
