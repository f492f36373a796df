import { dynamoPlayers } from '../lib/adapters/dynamodb/players.ts'
import { openTable } from '../lib/adapters/dynamodb/table.ts'
import { joseUserJwts } from '../lib/adapters/jose/user-jwts.ts'
import { userJwtKeys } from '../lib/adapters/kms/kms-keys.ts'
import { kmsPlayerTokenMint } from '../lib/adapters/kms/player-token-mint.ts'
import type { Players, PlayerTokenMint } from '../lib/domain/ports.ts'
import { operation } from '../lib/http/endpoint.ts'
import { lambda } from '../lib/http/lambda.ts'

/** 4.11: mints a player token and stores the player as the user JWT describes it (D23). */
export const createPlayerToken = operation(
  'createPlayerToken',
  async ({ user }, ports: { players: Players; playerTokenMint: PlayerTokenMint }) => {
    const { issuedAt, ...player } = user
    const [token] = await Promise.all([
      ports.playerTokenMint.mint(player.userId),
      ports.players.record(player, issuedAt),
    ])
    return { data: { token } }
  },
)

export const handler = lambda(createPlayerToken, {
  userJwts: joseUserJwts(userJwtKeys()),
  players: dynamoPlayers(openTable()),
  playerTokenMint: kmsPlayerTokenMint(),
})
