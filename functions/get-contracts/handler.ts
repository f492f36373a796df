import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoKeptContract } from '../../lib/adapters/dynamodb/keeping/kept-contract-item.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { writeContractCursor } from '../../lib/contract/list-cursors.ts'
import { type ListPorts, listContracts } from '../../lib/domain/allowlist/list-contracts.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { keepingSettings } from '../../lib/settings/keeping.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { row } from './operation.ts'

/** D37: the product's contracts with their descriptions, in a fixed order, complete or page by page, and whether each is kept (D157). */
export const getContracts = operation(row, async ({ productId, query }, ports: ListPorts) => {
  const range = { after: query.cursor, limit: query.limit }
  const { contracts, more } = await listContracts(productId, range, ports)
  const last = contracts.at(-1)
  return { data: contracts, nextCursor: more && last ? writeContractCursor(last) : undefined }
})

const table = openTable()
const keeping = keepingSettings()

export const handler = lambda(getContracts, {
  ...productCallerPorts(table),
  contracts: dynamoContracts(table),
  allowedTokenIds: dynamoAllowedTokenIds(table),
  ownership:
    keeping.keptChains.length > 0
      ? { ...keeping, keptContract: dynamoKeptContract(table) }
      : undefined,
})
