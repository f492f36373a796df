import { randomUUID } from 'node:crypto'
import { newKey } from '../../lib/adapters/dynamodb/api-keys.ts'
import { keyEntry } from '../../lib/contract/key-entries.ts'
import type { ProductEvents } from '../../lib/domain/ports/product-events.ts'
import { createKey as create, type KeyPorts } from '../../lib/domain/product/change-keys.ts'
import { recordKeyChange } from '../../lib/domain/product/record-change.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { newKeyPorts } from '../composition/key-ports.ts'
import { row } from './operation.ts'

/** D46: adds an API key to the product and returns it, only once. */
export const createKey = operation(
  row,
  async ({ access, keyId, body }, ports: KeyPorts & { events: ProductEvents }) => {
    const { apiKey, stored } = newKey()
    const { label, scope, expiresAt } = body
    const key = { ...stored, label, scope, ...(expiresAt && { endsAt: expiresAt }) }
    const added = await recordKeyChange(
      access,
      { action: 'createKey', keyId, newKeyId: key.keyId },
      (product) => create(product, key, randomUUID(), ports),
      ports,
    )
    return { data: { ...keyEntry(added), apiKey } }
  },
)

export const handler = lambda(createKey, newKeyPorts())
