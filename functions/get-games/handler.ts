import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { dynamoRefreshFamilies } from '../../lib/adapters/dynamodb/refresh-families.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { type GamePorts, gamesWithAccess } from '../../lib/domain/sign-in/games-with-access.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { sessionPorts } from '../composition/session-ports.ts'
import { row } from './operation.ts'

/** D112: the games that can get player tokens of the user of a session (D108). */
export const getGames = operation(row, async ({ session: { userId } }, ports: GamePorts) => {
  const games = await gamesWithAccess(userId, Date.now(), ports)
  return {
    data: games.map(({ productId, product, until }) => ({
      productId,
      name: product?.product.name ?? null,
      companyName: product?.product.companyName ?? null,
      until: new Date(until).toISOString(),
    })),
  }
})

const table = openTable()

export const handler = lambda(getGames, {
  ...sessionPorts(table),
  families: dynamoRefreshFamilies(table),
  productAccess: dynamoProductAccess(table),
})
