import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProductKeys } from '../../lib/adapters/dynamodb/product-keys.ts'
import { dynamoProductUse } from '../../lib/adapters/dynamodb/product-use.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import type { ProductUse } from '../../lib/domain/ports/limits.ts'
import type { ProductEvents } from '../../lib/domain/ports/product-events.ts'
import type { KeyPorts } from '../../lib/domain/product/change-keys.ts'
import { newKeyLimits } from '../../lib/settings/limits.ts'
import { type ProductCallerPorts, productCallerPorts } from './product-caller-ports.ts'

/** The ports of the operations on a product's keys (D46). */
export function keyPorts(
  table = openTable(),
): KeyPorts & ProductCallerPorts & { events: ProductEvents } {
  return {
    ...productCallerPorts(table),
    productKeys: dynamoProductKeys(table),
    events: dynamoProductEvents(table),
  }
}

/** The ports of the operations that add a key to a product, which has a limit of new keys (D47). */
export function newKeyPorts(): ReturnType<typeof keyPorts> & { productUse: ProductUse } {
  const table = openTable()
  return { ...keyPorts(table), productUse: dynamoProductUse(table, newKeyLimits()) }
}
