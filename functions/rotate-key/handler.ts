import { newKey } from '../../lib/adapters/dynamodb/api-keys.ts'
import { keyEntry } from '../../lib/contract/key-entries.ts'
import { rotateKey } from '../../lib/domain/product/change-keys.ts'
import { defaultOverlapSeconds } from '../../lib/domain/product/product-key.ts'
import { recordKeyChange } from '../../lib/domain/product/record-change.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { newKeyPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

/** D46: replaces an API key by a new one, which it returns only once; both work during the overlap. */
export const handler = handlerOf(
  row,
  newKeyPorts(),
  async ({ access, keyId, path, body }, ports) => {
    const { apiKey, stored } = newKey()
    const { overlapSeconds = defaultOverlapSeconds, expiresAt } = body
    const key = { ...stored, overlapSeconds, ...(expiresAt && { endsAt: expiresAt }) }
    const endedKeyId = path.keyId
    const added = await recordKeyChange(
      access,
      { action: 'rotateKey', keyId, newKeyId: key.keyId, endedKeyId },
      (product, changeId) => rotateKey(product, endedKeyId, key, changeId, ports),
      ports,
    )
    return { data: { ...keyEntry(added), apiKey } }
  },
)
