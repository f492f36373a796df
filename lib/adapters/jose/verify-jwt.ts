import {
  decodeProtectedHeader,
  errors,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose'
import type { VerificationKeys } from '../verification-keys.ts'

/**
 * Verifies a JWT against the accepted keys, one after the other. When a key cannot be read and no other
 * key verifies the JWT, the error of that key is thrown, because the JWT may be valid (D23). The algorithms
 * come from the deployment, never from the token, and no key is read for another algorithm. `kid` only
 * selects among the keys of a key set (D40).
 */
export async function verifyJwt(
  jwt: string,
  keys: VerificationKeys,
  options: JWTVerifyOptions & { algorithms: string[] },
): Promise<JWTVerifyResult> {
  const { alg, kid } = headerOf(jwt)
  if (alg === undefined || !options.algorithms.includes(alg)) {
    throw new errors.JOSEAlgNotAllowed('the algorithm is not allowed')
  }
  for await (const { key } of keys.accepted({ alg, kid })) {
    try {
      return await jwtVerify(jwt, key, options)
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  throw new errors.JWSSignatureVerificationFailed()
}

function headerOf(jwt: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(jwt)
  } catch (cause) {
    throw new errors.JWSInvalid('the JWT has no readable header', { cause })
  }
}
