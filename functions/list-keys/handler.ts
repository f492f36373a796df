import { keyEntries } from '../../lib/contract/key-entries.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { keyPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

/** D46: the API keys that work, and those that ended in the last 90 days. */
export const handler = handlerOf(
  row,
  keyPorts(),
  async ({ productId, access }, { productKeys }) => {
    const [{ keys }, ended] = await Promise.all([access, productKeys.listEnded(productId)])
    return { data: keyEntries(keys, ended, Date.now()) }
  },
)
