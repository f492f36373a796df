import type { KeyObject } from 'node:crypto'
import { errors, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose'

/**
 * Verifies a JWT against each accepted key, the first one first. The algorithm is the deployment's,
 * never the token's; a `kid` is not asked, because a login elsewhere may give names of its own.
 */
export async function verifyJwt(
  jwt: string,
  keys: readonly KeyObject[],
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  for (const key of keys) {
    try {
      return await jwtVerify(jwt, key, options)
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  throw new errors.JWSSignatureVerificationFailed()
}
