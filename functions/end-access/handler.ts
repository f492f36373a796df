import { dynamoRefreshFamilies } from '../../lib/adapters/dynamodb/refresh-families.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { parseProductId } from '../../lib/domain/product/product.ts'
import { endAccess } from '../../lib/domain/sign-in/games-with-access.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { sessionPorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** D112: ends the access of one game (D108). A game without access has none afterwards too. */
export const handler = handlerOf(
  row,
  { ...sessionPorts(table), families: dynamoRefreshFamilies(table) },
  async ({ session: { userId }, path }, ports) => {
    const productId = parseProductId(path.productId)
    if (productId) await endAccess(userId, productId, ports)
    return { data: { message: 'The game gets no more player tokens.' } }
  },
)
