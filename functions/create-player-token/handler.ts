import { dynamoPlayers } from '../../lib/adapters/dynamodb/players.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoUserIds } from '../../lib/adapters/dynamodb/user-ids.ts'
import { joseUserJwts } from '../../lib/adapters/jose/user-jwts.ts'
import { kmsPlayerTokenMint } from '../../lib/adapters/kms/player-token-mint.ts'
import { InvalidInput } from '../../lib/domain/failures.ts'
import type { UserIds } from '../../lib/domain/ports/players.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { sourceAddresses } from '../../lib/http/source-address.ts'
import { playerDigests } from '../../lib/observability/player-digest.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import { playerTokenLimit } from '../../lib/settings/limits.ts'
import { playerTokenProductSettings } from '../../lib/settings/player-tokens.ts'
import { edgeSettings, playerDigestSettings } from '../../lib/settings/resources.ts'
import { userJwtClaimSettings } from '../../lib/settings/user-jwts.ts'
import { loginKeys } from '../composition/token-keys.ts'
import { row } from './operation.ts'

const table = openTable()
/** User ids that are the subjects themselves, which user JWTs give as decimal integers (D21). */
const subjectUserIds: Pick<UserIds, 'idOf'> = { idOf: async ({ subject }) => Number(subject) }
const isAssigned = userJwtClaimSettings().userIds === 'assigned'

/** 4.11: creates a player token and stores the player as the user JWT describes it (D23, D41, D47, D52). */
export const handler = handlerOf(
  row,
  {
    userJwts: joseUserJwts(...loginKeys()),
    playerDigest: playerDigests(playerDigestSettings().key),
    userIds: isAssigned ? dynamoUserIds(table) : subjectUserIds,
    players: dynamoPlayers(table),
    playerTokenMint: kmsPlayerTokenMint(),
    playerTokenLimit: playerTokenLimit(),
    sourceAddressOf: sourceAddresses(edgeSettings().secrets),
    ...playerTokenProductSettings(),
  },
  async ({ user, query: { productId } }, ports) => {
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
