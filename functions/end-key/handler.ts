import { keyEntry } from '../../lib/contract/key-entries.ts'
import { endKey } from '../../lib/domain/product/change-keys.ts'
import { recordKeyChange } from '../../lib/domain/product/record-change.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { keyPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

/** D46: ends an API key with the very next request, everywhere. */
export const handler = handlerOf(row, keyPorts(), async ({ access, keyId, path }, ports) => {
  const endedKeyId = path.keyId
  const ended = await recordKeyChange(
    access,
    { action: 'endKey', keyId, endedKeyId },
    (product, changeId) => endKey(product, endedKeyId, changeId, ports),
    ports,
  )
  return { data: keyEntry(ended) }
})
