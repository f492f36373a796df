import { mintUserJwt } from '../../local/user-jwt.ts'
import { startFunctionProcess } from '../function-process.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'
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
  { userJwtKey, variables }: Surroundings,
  wallets: readonly string[],
): Promise<SignedInPlayer> {
  players += 1
  const user = { userId: players, username: `player_${players}`, wallets }
  const userJwt = await mintUserJwt(userJwtKey, user, 3600)
  const subject = subjectOf(subjects, 'ours', 'create-player-token')
  const minting = await startFunctionProcess(subject, variables)
  try {
    const { body } = await minting.run([eventOf({ userJwt })])
    return { userJwt, playerToken: JSON.parse(body).data.token }
  } finally {
    await minting.close()
  }
}
