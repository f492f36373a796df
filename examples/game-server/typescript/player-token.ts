import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { failure, type Settings, serviceOf, tryLater } from './player-nfts.ts'

/** Returns a function that verifies a player token without a request, and returns the player's user id. */
export function playerTokenVerifier(settings: Settings) {
  const { ISSUER: issuer = 'player-nfts-local', PRODUCT_ID } = settings
  const { PLAYER_TOKEN_AUDIENCE: audience = 'player-nfts-local-games' } = settings
  const keySetUrl = new URL('/.well-known/jwks.json', serviceOf(settings))
  const times = {
    cacheMaxAge: 5 * 60_000,
    cooldownDuration: 1_000 * Number(settings['KEY_SET_COOLDOWN_SECONDS'] ?? 30),
  }
  const keySet = createRemoteJWKSet(keySetUrl, times)
  // The key set also has the keys of user JWTs, which open more: only `typ` and `aud` tell the two apart.
  const rules = { typ: 'player+jwt', algorithms: ['ES256'], requiredClaims: ['exp', 'sub'] }
  return async (playerToken: string): Promise<string> => {
    const options = { ...rules, issuer, audience, clockTolerance: 30 }
    const { payload } = await jwtVerify(playerToken, keySet, options).catch((error) => {
      const ofKeySet = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT']
      const isOfKeySet = !(error instanceof errors.JOSEError) || ofKeySet.includes(error.code)
      throw isOfKeySet ? tryLater(error) : failure(401, 'sign_in_again', error)
    })
    // Otherwise another game could sign in here with the token that the player gave it (D52).
    const { client_id: game = PRODUCT_ID?.toLowerCase(), sub } = payload
    if (game === PRODUCT_ID?.toLowerCase()) return String(sub)
    throw failure(401, 'sign_in_again', 'The player token is for another game.')
  }
}
