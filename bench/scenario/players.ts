import { mintUserJwt } from '../../local/user-jwt.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { inContainer } from './containers.ts'
import { eventOf } from './events.ts'

/** A signed-in player. */
export interface SignedInPlayer {
  userJwt: string
  playerToken: string
}

let players = 0

/** Signs in a player with these wallets. The naive peer reads the same player and accepts the same token. */
export async function signIn(
  subjects: Subjects,
  surroundings: Surroundings,
  wallets: readonly string[],
): Promise<SignedInPlayer> {
  players += 1
  const user = { userId: players, username: `player_${players}`, wallets }
  const userJwt = await mintUserJwt(surroundings.userJwtKey, user, 3600)
  const { body } = await inContainer('create-player-token', subjects, surroundings, (container) =>
    container.run([eventOf({ userJwt })]),
  )
  return { userJwt, playerToken: JSON.parse(body).data.token }
}
