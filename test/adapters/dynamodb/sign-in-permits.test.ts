import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { dynamoProductAccess } from '../../../lib/adapters/dynamodb/product-access.ts'
import { dynamoProducts } from '../../../lib/adapters/dynamodb/products.ts'
import { dynamoSignInPermits } from '../../../lib/adapters/dynamodb/sign-in-permits.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import type { ApiKey, ProductId } from '../../../lib/domain/product/product.ts'
import { permitOf } from '../../../lib/domain/sign-in/sign-in-permit.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'

await startTestAws()
const table = openTable()
const products = dynamoProducts(table)
const { permit, withdraw } = dynamoSignInPermits(table)
const permitIn = async (productId: ProductId) =>
  (await dynamoProductAccess(table).get(productId))?.signInPermit

const seen = { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' }

test.each([
  ['name', { name: 'Other' }],
  ['company', { companyName: 'Other' }],
  ['hosts', { signInDomains: ['game.example'] }],
])(
  'D115: a change of the %s since the operator has looked is not permitted',
  async (_, changes) => {
    const { productId, store } = products.prepare(seen, randomUUID() as ApiKey)
    await store()
    await products.update(productId, changes)
    expect(await permit(productId, seen)).toBe(false)
    expect(await permitIn(productId)).toBeUndefined()
    const changed = { ...seen, ...changes }
    expect(await permit(productId, changed)).toBe(true)
    expect(await permit(productId, changed)).toBe(true)
    expect(await permitIn(productId)).toBe(permitOf(changed))
    expect(await withdraw(productId)).toBe(true)
    expect(await permitIn(productId)).toBeUndefined()
  },
)

test('D115: nothing is permitted of a product that does not exist', async () => {
  const productId = randomUUID() as ProductId
  expect([await permit(productId, seen), await withdraw(productId)]).toEqual([false, false])
  expect(await permitIn(productId)).toBeUndefined()
})
