import { publishedUserJwtKey } from '../../lib/adapters/jose/published-keys.ts'
import type { PublicKeys } from '../../lib/domain/ports/public-keys.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { userJwtKeys } from '../composition/user-jwt-keys.ts'
import { row } from './operation.ts'

/** 4.10: the public key that verifies user JWTs, as base64 of its DER form (D32). */
export const getPublicKey = operation(
  row,
  async (_, { userJwtKey }: Pick<PublicKeys, 'userJwtKey'>) => ({
    data: { publicKey: Buffer.from(await userJwtKey()).toString('base64') },
  }),
)

export const handler = lambda(getPublicKey, publishedUserJwtKey(userJwtKeys()))
