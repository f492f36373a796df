import { publishedKeySet } from '../../lib/adapters/jose/published-keys.ts'
import type { PublicKeys } from '../../lib/domain/ports/public-keys.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { playerTokenKeys } from '../composition/player-token-keys.ts'
import { loginKeys } from '../composition/user-jwt-keys.ts'
import { row } from './operation.ts'

/** How long caches may keep a set without the keys of a login, in seconds: as long as a function makes no further request. */
const incompleteMaxAgeSeconds = 10

/** D32: every accepted key of both kinds as a JWK set, for servers that verify tokens themselves. */
export const getKeySet = operation(row, async (_, { keySet }: Pick<PublicKeys, 'keySet'>) => {
  let leftOut = 0
  const keys = await keySet(() => {
    leftOut += 1
  })
  return { data: { keys }, ...(leftOut > 0 && { maxAgeSeconds: incompleteMaxAgeSeconds }) }
})

const [userJwtKeys, ...otherLogins] = loginKeys()

export const handler = lambda(
  getKeySet,
  publishedKeySet(userJwtKeys, playerTokenKeys(), ...otherLogins),
)
