import { errors, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose'
import type { VerificationKeys } from '../verification-keys.ts'

/**
 * Verifies a JWT against the accepted keys, one after the other. While one of them cannot be read, a JWT
 * that none of the others has signed is not refused: that a key is missing is thrown. The algorithm is
 * the deployment's, never the token's; a `kid` is not asked, because a login elsewhere may give names of
 * its own.
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
