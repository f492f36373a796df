import { dynamoApiKeys } from '../../lib/adapters/dynamodb/api-keys.ts'
import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import type { Table } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoUsageCounters } from '../../lib/adapters/dynamodb/usage-counters.ts'
import type { ApiKeys, ProductAccess } from '../../lib/domain/ports/product-keys.ts'
import type { UsageRecorder } from '../../lib/domain/ports/usage.ts'
import { usageRecorder } from '../../lib/domain/usage/usage-recorder.ts'
import { usageSettings } from '../../lib/settings/limits.ts'

/** The ports of the callers of all operations with an API key. */
export interface ProductCallerPorts {
  apiKeys: ApiKeys
  productAccess: ProductAccess
  usage: UsageRecorder
}

/**
 * The ports that identify the product of a request by its API key, say what it permits (D46), and count the
 * usage of the product (D55).
 */
export const productCallerPorts = (table: Table): ProductCallerPorts => ({
  apiKeys: dynamoApiKeys(table),
  productAccess: dynamoProductAccess(table),
  usage: usageRecorder(dynamoUsageCounters(table), usageSettings().delaySeconds),
})
