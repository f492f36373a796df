import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { dynamoProductAccess } from '../../../lib/adapters/dynamodb/product-access.ts'
import { dynamoProductEvents } from '../../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProducts } from '../../../lib/adapters/dynamodb/products.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import type { ApiKey, ProductId } from '../../../lib/domain/product/product.ts'
import { register } from '../../../lib/domain/product/register-product.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'

await startTestAws()
const table = openTable()
const stored = dynamoProducts(table)
const events = dynamoProductEvents(table)

test.each(['storeKey', 'store'] as const)(
  'D86: a registration that ends before %s leaves no product',
  async (step) => {
    const ended = new Error('the process has ended')
    let productId = '' as ProductId
    const prepare: typeof stored.prepare = (...query) => {
      const registration = stored.prepare(...query)
      productId = registration.productId
      return { ...registration, [step]: () => Promise.reject(ended) }
    }
    const product = { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' }
    const products = { ...stored, prepare }
    await expect(
      register(product, randomUUID() as string as ApiKey, { products, events }),
    ).rejects.toBe(ended)
    expect(await dynamoProductAccess(table).get(productId)).toBeUndefined()
  },
)
