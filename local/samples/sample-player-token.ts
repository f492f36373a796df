import type { LocalStack } from '../local-stack.ts'
import { mintUserJwt } from '../user-jwt.ts'
import { type SamplePlayer, samples } from './samples.ts'

const daySeconds = 86_400

/**
 * Signs the sample player in at a stack and returns the player token, which the API creates for a user JWT as for every
 * player (4.11). Rejects if the API refuses.
 */
export async function samplePlayerToken(
  { url, userJwtKey }: Pick<LocalStack, 'url' | 'userJwtKey'>,
  { userId, username, wallets }: SamplePlayer,
): Promise<string> {
  const userJwt = await mintUserJwt(userJwtKey, { userId, username, wallets }, daySeconds)
  const response = await fetch(`${url}/api/public/v1/player/token`, {
    headers: { authorization: `Bearer ${userJwt}` },
  })
  if (!response.ok) throw new Error('The sample player could not be signed in.')
  const { data } = (await response.json()) as { data: { token: string } }
  return data.token
}

/** Returns the sample player with this name, or `undefined`. */
export const samplePlayerNamed = (name: string): SamplePlayer | undefined =>
  Object.values<SamplePlayer>(samples.players).find(({ username }) => username === name)
