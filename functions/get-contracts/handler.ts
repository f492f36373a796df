import { dynamoKeptContract } from '../../lib/adapters/dynamodb/keeping/kept-contract-item.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { writeContractCursor } from '../../lib/contract/list-cursors.ts'
import { listContracts } from '../../lib/domain/allowlist/list-contracts.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { keepingSettings } from '../../lib/settings/keeping.ts'
import { allowlistPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

const table = openTable()
const keeping = keepingSettings()

/** D37: the product's contracts with their descriptions, in a fixed order, complete or page by page, and whether each is kept (D157). */
export const handler = handlerOf(
  row,
  {
    ...allowlistPorts(table),
    ownership:
      keeping.keptChains.length > 0
        ? { ...keeping, keptContract: dynamoKeptContract(table) }
        : undefined,
  },
  async ({ productId, query }, ports) => {
    const range = { after: query.cursor, limit: query.limit }
    const { contracts, more } = await listContracts(productId, range, ports)
    const last = contracts.at(-1)
    return { data: contracts, nextCursor: more && last ? writeContractCursor(last) : undefined }
  },
)
