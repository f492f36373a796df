import type { ProductId } from '../../lib/domain/product.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'

const getProduct = operation('getProduct', async () => ({
  data: {
    name: 'Lanterns of Brindlewake',
    contactEmail: 'studio@brindlewake.example',
    companyName: 'Gull Harbour Games',
  },
}))

/** An empty operation behind the chain of all operations, with an API key that needs no lookup. */
export const chained = lambda(getProduct, {
  apiKeys: { productOf: async () => 'product' as ProductId },
})

/** An empty handler without the chain. */
export const empty = async () => ({ statusCode: 200, body: '{}' })
