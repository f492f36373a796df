import { dynamoRefreshFamilies } from '../../lib/adapters/dynamodb/refresh-families.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { parseProductId } from '../../lib/domain/product/product.ts'
import { endAccess as end, type GamePorts } from '../../lib/domain/sign-in/games-with-access.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { sessionPorts } from '../composition/session-ports.ts'
import { row } from './operation.ts'

/** D112: ends the access of one game (D108). A game without access has none afterwards too. */
export const endAccess = operation(
  row,
  async ({ session: { userId }, path }, ports: Pick<GamePorts, 'families'>) => {
    const productId = parseProductId(path.productId)
    if (productId) await end(userId, productId, ports)
    return { data: { message: 'The game gets no more player tokens.' } }
  },
)

const table = openTable()

export const handler = lambda(endAccess, {
  ...sessionPorts(table),
  families: dynamoRefreshFamilies(table),
})
