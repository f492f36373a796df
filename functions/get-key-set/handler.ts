import { publishedKeySet } from '../../lib/adapters/jose/published-keys.ts'
import type { PublicKeys } from '../../lib/domain/ports/public-keys.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { playerTokenKeys } from '../composition/player-token-keys.ts'
import { userJwtKeys } from '../composition/user-jwt-keys.ts'
import { row } from './operation.ts'

/** D32: every accepted key of both kinds as a JWK set, for servers that verify tokens themselves. */
export const getKeySet = operation(row, async (_, { keySet }: Pick<PublicKeys, 'keySet'>) => ({
  data: { keys: await keySet() },
}))

export const handler = lambda(getKeySet, publishedKeySet(userJwtKeys(), playerTokenKeys()))
