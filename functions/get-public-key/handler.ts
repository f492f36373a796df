import { handlerOf } from '../../lib/http/lambda.ts'
import { userJwtKeys } from '../composition/token-keys.ts'
import { row } from './operation.ts'

/** 4.10: the public key that verifies user JWTs, as base64 of its DER form (D32). */
export const handler = handlerOf(row, userJwtKeys(), async (_, keys) => ({
  data: {
    publicKey: (await keys.current()).export({ format: 'der', type: 'spki' }).toString('base64'),
  },
}))
