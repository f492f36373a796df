import { errors, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose'
import type { VerificationKeys } from '../verification-keys.ts'

/**
 * Verifies a JWT against the accepted keys, one after the other. When a key cannot be read and no other
 * key verifies the JWT, the error of that key is thrown, because the JWT may be valid (D23). The algorithm
 * comes from the deployment, never from the token. `kid` is ignored, because an external login may use
 * its own names.
 */
export async function verifyJwt(
  jwt: string,
  keys: VerificationKeys,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  for await (const key of keys.accepted()) {
    try {
      return await jwtVerify(jwt, key, options)
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  throw new errors.JWSSignatureVerificationFailed()
}
