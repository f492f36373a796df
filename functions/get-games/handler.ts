import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { dynamoRefreshFamilies } from '../../lib/adapters/dynamodb/refresh-families.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { gamesWithAccess } from '../../lib/domain/sign-in/games-with-access.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { sessionPorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** D112: the games that can get player tokens of the user of a session (D108). */
export const handler = handlerOf(
  row,
  {
    ...sessionPorts(table),
    families: dynamoRefreshFamilies(table),
    productAccess: dynamoProductAccess(table),
  },
  async ({ session: { userId } }, ports) => {
    const games = await gamesWithAccess(userId, Date.now(), ports)
    return {
      data: games.map(({ productId, product, until }) => ({
        productId,
        name: product?.product.name ?? null,
        companyName: product?.product.companyName ?? null,
        until: new Date(until).toISOString(),
      })),
    }
  },
)
