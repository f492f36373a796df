import { dynamoApiKeys } from '../../lib/adapters/dynamodb/api-keys.ts'
import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import type { Table } from '../../lib/adapters/dynamodb/table.ts'
import type { ApiKeys, ProductAccess } from '../../lib/domain/ports/product-keys.ts'

/** The ports that identify the product of a request by its API key, and say what it permits (D46). */
export const productCallerPorts = (
  table: Table,
): { apiKeys: ApiKeys; productAccess: ProductAccess } => ({
  apiKeys: dynamoApiKeys(table),
  productAccess: dynamoProductAccess(table),
})
