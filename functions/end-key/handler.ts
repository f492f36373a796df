import { randomUUID } from 'node:crypto'
import { keyEntry } from '../../lib/contract/key-entries.ts'
import type { ProductEvents } from '../../lib/domain/ports/product-events.ts'
import { endKey as end, type KeyPorts } from '../../lib/domain/product/change-keys.ts'
import { recordKeyChange } from '../../lib/domain/product/record-change.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { keyPorts } from '../composition/key-ports.ts'
import { row } from './operation.ts'

/** D46: ends an API key with the very next request, everywhere. */
export const endKey = operation(
  row,
  async ({ access, keyId, path }, ports: KeyPorts & { events: ProductEvents }) => {
    const endedKeyId = path.keyId
    const ended = await recordKeyChange(
      access,
      { action: 'endKey', keyId, endedKeyId },
      (product) => end(product, endedKeyId, randomUUID(), ports),
      ports,
    )
    return { data: keyEntry(ended) }
  },
)

export const handler = lambda(endKey, keyPorts())
