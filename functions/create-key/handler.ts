import { newKey } from '../../lib/adapters/dynamodb/api-keys.ts'
import { keyEntry } from '../../lib/contract/key-entries.ts'
import { createKey } from '../../lib/domain/product/change-keys.ts'
import { recordKeyChange } from '../../lib/domain/product/record-change.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { newKeyPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

/** D46: adds an API key to the product and returns it, only once. */
export const handler = handlerOf(row, newKeyPorts(), async ({ access, keyId, body }, ports) => {
  const { apiKey, stored } = newKey()
  const { label, scope, expiresAt } = body
  const key = { ...stored, label, scope, ...(expiresAt && { endsAt: expiresAt }) }
  const added = await recordKeyChange(
    access,
    { action: 'createKey', keyId, newKeyId: key.keyId },
    (product, changeId) => createKey(product, key, changeId, ports),
    ports,
  )
  return { data: { ...keyEntry(added), apiKey } }
})
