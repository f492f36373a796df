import { createRemoteJWKSet, jwtVerify } from 'jose'

export interface Trust {
  /** Where the service is, such as `http://127.0.0.1:3000`. */
  serviceUrl: string
  /** The `iss` of this deployment's tokens. Its operator tells you. */
  issuer: string
  /** The `aud` of this deployment's player tokens. Its operator tells you. */
  audience: string
}

/** The key set may be cached for five minutes: then new keys are known before they sign (D32). */
const keySetMaxAgeMilliseconds = 5 * 60_000

/**
 * Returns a function that verifies a player token and returns the player's user id. The function rejects
 * with an error of jose, whose `code` is stable: `ERR_JWT_EXPIRED`, `ERR_JWT_CLAIM_VALIDATION_FAILED`,
 * `ERR_JWS_SIGNATURE_VERIFICATION_FAILED`, …
 *
 * Make it once per process: it keeps the key set, and calls the service only to renew it.
 */
export function playerTokenVerifier({ serviceUrl, issuer, audience }: Trust) {
  const keySet = createRemoteJWKSet(new URL('/.well-known/jwks.json', serviceUrl), {
    cacheMaxAge: keySetMaxAgeMilliseconds,
  })
  return async (playerToken: string): Promise<string> => {
    const { payload } = await jwtVerify<{ sub: string }>(playerToken, keySet, {
      // The key set also has the keys of user JWTs. Without these two checks a user JWT, which opens
      // more than a player token, would pass for one.
      typ: 'player+jwt',
      audience,
      issuer,
      // The deployment decides about the algorithm, never the token.
      algorithms: ['ES256'],
      // jose checks `exp` only where there is one.
      requiredClaims: ['exp', 'sub'],
      // The clocks of two machines may differ.
      clockTolerance: 30,
    })
    return payload.sub
  }
}
