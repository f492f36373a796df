import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProductKeys } from '../../lib/adapters/dynamodb/product-keys.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import type { KeyPorts } from '../../lib/domain/change-keys.ts'
import type { ProductEvents } from '../../lib/domain/ports/product-events.ts'
import { type ProductCallerPorts, productCallerPorts } from './product-caller-ports.ts'

/** The ports of the operations on a product's keys (D46). */
export function keyPorts(): KeyPorts & ProductCallerPorts & { events: ProductEvents } {
  const table = openTable()
  return {
    ...productCallerPorts(table),
    productKeys: dynamoProductKeys(table),
    events: dynamoProductEvents(table),
  }
}
