import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { unbindingReport } from '../../lib/contract/unbinding-report.ts'
import { removeAllowedNfts } from '../../lib/domain/allowlist/unbind-nfts.ts'
import type { AllowlistPorts } from '../../lib/domain/ports/allowlist.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { row } from './operation.ts'

/** 4.6: removes NFTs from a contract's allowlist and reports the number of removed NFTs (D20, D36). */
export const unbindNfts = operation(
  row,
  async ({ productId, keyId, query }, ports: AllowlistPorts) => {
    const { chain, contractAddress: address, tokens } = query
    const actor = { productId, keyId }
    const unbinding = await removeAllowedNfts(actor, { chain, address }, tokens, ports)
    return { data: unbindingReport({ chain, address }, unbinding) }
  },
)

const table = openTable()

export const handler = lambda(unbindNfts, {
  ...productCallerPorts(table),
  contracts: dynamoContracts(table),
  allowedTokenIds: dynamoAllowedTokenIds(table),
  events: dynamoProductEvents(table),
})
