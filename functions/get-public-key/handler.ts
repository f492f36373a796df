import { publishedUserJwtKey } from '../../lib/adapters/jose/published-keys.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { userJwtKeys } from '../composition/token-keys.ts'
import { row } from './operation.ts'

/** 4.10: the public key that verifies user JWTs, as base64 of its DER form (D32). */
export const handler = handlerOf(
  row,
  publishedUserJwtKey(userJwtKeys()),
  async (_, { userJwtKey }) => ({
    data: { publicKey: Buffer.from(await userJwtKey()).toString('base64') },
  }),
)
