import { publishedKeySet } from '../../lib/adapters/jose/published-keys.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { loginKeys, playerTokenKeys } from '../composition/token-keys.ts'
import { row } from './operation.ts'

/** How long caches may keep a set without the keys of a login, in seconds: as long as a function makes no further request. */
const incompleteMaxAgeSeconds = 10

/** D32: every accepted key of both kinds as a JWK set, for servers that verify tokens themselves. */
export const handler = handlerOf(
  row,
  publishedKeySet(playerTokenKeys(), loginKeys()),
  async (_, { keySet }) => {
    let leftOut = 0
    const keys = await keySet(() => {
      leftOut += 1
    })
    return { data: { keys }, ...(leftOut > 0 && { maxAgeSeconds: incompleteMaxAgeSeconds }) }
  },
)
