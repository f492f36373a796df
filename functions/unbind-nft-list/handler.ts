import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { unbindingReport } from '../../lib/contract/unbinding-report.ts'
import { removeAllowedNftList } from '../../lib/domain/allowlist/unbind-nfts.ts'
import type { AllowlistPorts } from '../../lib/domain/ports/allowlist.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { row } from './operation.ts'

/** Removes a list of NFTs from a contract's allowlist, as 4.6 does, and reports the number of removed NFTs (D50). */
export const unbindNftList = operation(
  row,
  async ({ productId, keyId, body }, ports: AllowlistPorts) => {
    const { chain, contractAddress: address, tokens } = body
    const actor = { productId, keyId }
    const unbinding = await removeAllowedNftList(actor, { chain, address }, tokens, ports)
    return { data: unbindingReport({ chain, address }, unbinding) }
  },
)

const table = openTable()

export const handler = lambda(unbindNftList, {
  ...productCallerPorts(table),
  contracts: dynamoContracts(table),
  allowedTokenIds: dynamoAllowedTokenIds(table),
  events: dynamoProductEvents(table),
})
