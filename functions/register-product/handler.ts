import { randomUUID } from 'node:crypto'
import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProducts } from '../../lib/adapters/dynamodb/products.ts'
import { dynamoRegistrations } from '../../lib/adapters/dynamodb/registrations.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import type { ApiKey } from '../../lib/domain/product/product.ts'
import { register } from '../../lib/domain/product/register-product.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { sourceAddresses } from '../../lib/http/source-address.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import { registrationLimits } from '../../lib/settings/limits.ts'
import { edgeSettings } from '../../lib/settings/resources.ts'
import { row } from './operation.ts'

const table = openTable()

/** 4.1: registers a product and returns its API key, only once (D9). A repeat registers another product (D10). */
export const handler = handlerOf(
  row,
  {
    products: dynamoProducts(table),
    events: dynamoProductEvents(table),
    sourceAddressOf: sourceAddresses(edgeSettings().secrets),
    registrations: dynamoRegistrations(table, registrationLimits()),
  },
  async ({ body, sourceAddress }, ports) => {
    await ports.registrations.count(sourceAddress)
    const { websiteLink, website = websiteLink, ...fields } = body
    const apiKey = randomUUID() as string as ApiKey
    const product = { ...fields, ...(website !== undefined && { website }) }
    const productId = await register(product, apiKey, ports)
    requestSubject.note({ productId })
    return { data: { apiKey, productId } }
  },
)
