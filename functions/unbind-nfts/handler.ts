import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { unbindingReport } from '../../lib/contract/unbinding-report.ts'
import { removeAllowedNfts } from '../../lib/domain/allowlist/unbind-nfts.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { allowlistPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** 4.6: removes NFTs from a contract's allowlist and reports the number of removed NFTs (D20, D36). */
export const handler = handlerOf(
  row,
  { ...allowlistPorts(table), events: dynamoProductEvents(table) },
  async ({ productId, keyId, query }, ports) => {
    const { chain, contractAddress: address, tokens } = query
    const actor = { productId, keyId }
    const unbinding = await removeAllowedNfts(actor, { chain, address }, tokens, ports)
    return { data: unbindingReport({ chain, address }, unbinding) }
  },
)
