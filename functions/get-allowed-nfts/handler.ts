import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { writeListCursor } from '../../lib/contract/list-cursors.ts'
import { listAllowedNfts } from '../../lib/domain/allowlist/list-allowed-nfts.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { allowlistPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

/** 4.4: the product's allowlist in a fixed order, complete or page by page (D18, D58). */
export const handler = handlerOf(
  row,
  allowlistPorts(openTable()),
  async ({ productId, query }, ports) => {
    const range = { after: query.cursor, limit: query.limit }
    const { entries, next } = await listAllowedNfts(productId, range, ports)
    return { data: entries, nextCursor: next && writeListCursor(next) }
  },
)
