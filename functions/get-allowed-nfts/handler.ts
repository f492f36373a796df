import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { writeListCursor } from '../../lib/contract/list-cursors.ts'
import { listAllowedNfts } from '../../lib/domain/allowlist/list-allowed-nfts.ts'
import type { AllowedTokenIds, Contracts } from '../../lib/domain/ports/allowlist.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { row } from './operation.ts'

/** 4.4: the product's allowlist in a fixed order, complete or page by page (D18, D58). */
export const getAllowedNfts = operation(
  row,
  async (
    { productId, query },
    ports: { contracts: Contracts; allowedTokenIds: AllowedTokenIds },
  ) => {
    const range = { after: query.cursor, limit: query.limit }
    const { entries, next } = await listAllowedNfts(productId, range, ports)
    return { data: entries, nextCursor: next && writeListCursor(next) }
  },
)

const table = openTable()

export const handler = lambda(getAllowedNfts, {
  ...productCallerPorts(table),
  contracts: dynamoContracts(table),
  allowedTokenIds: dynamoAllowedTokenIds(table),
})
