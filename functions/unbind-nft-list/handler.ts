import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { unbindingReport } from '../../lib/contract/unbinding-report.ts'
import { removeAllowedNftList } from '../../lib/domain/allowlist/unbind-nfts.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { allowlistPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** Removes a list of NFTs from a contract's allowlist, as 4.6 does, and reports the number of removed NFTs (D50). */
export const handler = handlerOf(
  row,
  { ...allowlistPorts(table), events: dynamoProductEvents(table) },
  async ({ productId, keyId, body }, ports) => {
    const { chain, contractAddress: address, tokens } = body
    const actor = { productId, keyId }
    const unbinding = await removeAllowedNftList(actor, { chain, address }, tokens, ports)
    return { data: unbindingReport({ chain, address }, unbinding) }
  },
)
