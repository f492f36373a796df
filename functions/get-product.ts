import { dynamoApiKeys } from '../lib/adapters/dynamodb/api-keys.ts'
import { dynamoProducts } from '../lib/adapters/dynamodb/products.ts'
import { openTable } from '../lib/adapters/dynamodb/table.ts'
import type { Products } from '../lib/domain/ports.ts'
import { operation } from '../lib/http/endpoint.ts'
import { lambda } from '../lib/http/lambda.ts'

/** 4.2: the product's registration; the website under both of its names (D7). */
export const getProduct = operation(
  'getProduct',
  async ({ productId }, { products }: { products: Products }) => {
    const product = await products.get(productId)
    if (!product) throw new Error('an API key belongs to no product')
    return { data: { ...product, websiteLink: product.website } }
  },
)

const table = openTable()

export const handler = lambda(getProduct, {
  apiKeys: dynamoApiKeys(table),
  products: dynamoProducts(table),
})
