import { keyEntries } from '../../lib/contract/key-entries.ts'
import type { ProductKeys } from '../../lib/domain/ports/product-keys.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { keyPorts } from '../composition/key-ports.ts'
import { row } from './operation.ts'

/** D46: the API keys that work, and those that ended in the last 90 days. */
export const listKeys = operation(
  row,
  async ({ productId, access }, { productKeys }: { productKeys: ProductKeys }) => {
    const [{ keys }, ended] = await Promise.all([access, productKeys.listEnded(productId)])
    return { data: keyEntries(keys, ended, Date.now()) }
  },
)

export const handler = lambda(listKeys, keyPorts())
