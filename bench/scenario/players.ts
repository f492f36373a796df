import { mintUserJwt } from '../../local/user-jwt.ts'
import { startFunctionProcess } from '../function-process.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { eventOf } from './events.ts'
import { type Peer, subjectOf } from './peers.ts'

/** A signed-in player in the form of the peer. */
export interface SignedInPlayer {
  userJwt: string
  playerToken: string
}

let players = 0

/** Signs in a player with these wallets by the peer's own function. */
export async function signIn(
  peer: Peer,
  subjects: Pick<Subjects, Peer>,
  { userJwtKey, variables }: Surroundings,
  wallets: readonly string[],
): Promise<SignedInPlayer> {
  players += 1
  const user = { userId: players, username: `player_${players}`, wallets }
  const userJwt = await mintUserJwt(userJwtKey, user, 3600)
  const subject = subjectOf(subjects, peer, 'create-player-token')
  const minting = await startFunctionProcess(subject, variables)
  try {
    const { body } = await minting.run([eventOf({ userJwt })])
    return { userJwt, playerToken: JSON.parse(body).data.token }
  } finally {
    await minting.close()
  }
}
