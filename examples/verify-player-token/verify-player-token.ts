import { createRemoteJWKSet, jwtVerify } from 'jose'

export interface Trust {
  /** Where the service is, such as `http://127.0.0.1:3000`. */
  serviceUrl: string
  /** The `iss` of this deployment's tokens. Its operator tells you. */
  issuer: string
  /** The `aud` of this deployment's player tokens. Its operator tells you. */
  audience: string
  /** The id of your product. A player token for the game of another product is rejected. */
  productId?: string | undefined
}

interface Claims {
  sub: string
  client_id?: unknown
}

/** The key set may be cached for five minutes: then new keys are known before they sign (D32). */
const keySetMaxAgeMilliseconds = 5 * 60_000

/** The player token is for the game of another product. */
export class OtherGame extends Error {
  readonly code = 'ERR_OTHER_GAME'
  constructor() {
    super('the player token is for the game of another product')
  }
}

/**
 * Returns a function that verifies a player token and returns the player's user id. The function rejects
 * with an error of jose, whose `code` is stable: `ERR_JWT_EXPIRED`, `ERR_JWT_CLAIM_VALIDATION_FAILED`,
 * `ERR_JWS_SIGNATURE_VERIFICATION_FAILED`, …, or with OtherGame.
 *
 * Make it once per process: it keeps the key set, and calls the service only to renew it.
 */
export function playerTokenVerifier({ serviceUrl, issuer, audience, productId }: Trust) {
  const keySet = createRemoteJWKSet(new URL('/.well-known/jwks.json', serviceUrl), {
    cacheMaxAge: keySetMaxAgeMilliseconds,
  })
  return async (playerToken: string): Promise<string> => {
    const { payload } = await jwtVerify<Claims>(playerToken, keySet, {
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
    // A player token without this claim is for every game (D52). Otherwise another game, to which the
    // player has given a token, could sign in here as the player.
    const { client_id: game, sub } = payload
    if (game !== undefined && game !== productId?.toLowerCase()) throw new OtherGame()
    return sub
  }
}
