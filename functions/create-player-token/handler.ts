import { dynamoPlayers } from '../../lib/adapters/dynamodb/players.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoUserIds } from '../../lib/adapters/dynamodb/user-ids.ts'
import { joseUserJwts } from '../../lib/adapters/jose/user-jwts.ts'
import { kmsPlayerTokenMint } from '../../lib/adapters/kms/player-token-mint.ts'
import { InvalidInput } from '../../lib/domain/failures.ts'
import type { Limit } from '../../lib/domain/limit/limit.ts'
import type { PlayerTokenProductRule } from '../../lib/domain/player/player-token-product.ts'
import { subjectUserIds } from '../../lib/domain/player/subject-user-ids.ts'
import type { Players, PlayerTokenMint } from '../../lib/domain/ports/players.ts'
import type { UserIds } from '../../lib/domain/ports/users.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { sourceAddresses } from '../../lib/http/source-address.ts'
import { playerDigests } from '../../lib/observability/player-digest.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import { playerTokenLimit } from '../../lib/settings/limits.ts'
import { playerTokenProductSettings } from '../../lib/settings/player-tokens.ts'
import { edgeSettings, playerDigestSettings } from '../../lib/settings/resources.ts'
import { userJwtClaimSettings } from '../../lib/settings/user-jwts.ts'
import { loginKeys } from '../composition/user-jwt-keys.ts'
import { row } from './operation.ts'

/** 4.11: creates a player token and stores the player as the user JWT describes it (D23, D41, D47, D52). */
export const createPlayerToken = operation(
  row,
  async (
    { user, query: { productId } },
    ports: {
      userIds: UserIds
      players: Players
      playerTokenMint: PlayerTokenMint
      playerTokenLimit: Limit | undefined
      playerTokenProduct: PlayerTokenProductRule
    },
  ) => {
    if (productId === undefined && ports.playerTokenProduct === 'required') {
      throw new InvalidInput({ in: 'query', path: 'productId' }, 'is required')
    }
    const { username, wallets, issuedAt } = user
    const userId = await ports.userIds.idOf(user)
    requestSubject.note({ userId, productId })
    // The write counts the player token, so KMS is asked after it.
    await ports.players.record({ userId, username, wallets }, issuedAt, ports.playerTokenLimit)
    const token = await ports.playerTokenMint.mint(userId, productId)
    return { data: { token } }
  },
)

const table = openTable()
const isAssigned = userJwtClaimSettings().userIds === 'assigned'

export const handler = lambda(createPlayerToken, {
  userJwts: joseUserJwts(...loginKeys()),
  playerDigest: playerDigests(playerDigestSettings().key),
  userIds: isAssigned ? dynamoUserIds(table) : subjectUserIds,
  players: dynamoPlayers(table),
  playerTokenMint: kmsPlayerTokenMint(),
  playerTokenLimit: playerTokenLimit(),
  sourceAddressOf: sourceAddresses(edgeSettings().secrets),
  ...playerTokenProductSettings(),
})
