import {
  createLocalJWKSet,
  createRemoteJWKSet,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose'

/** What a server trusts. Its operator tells you `issuer` and `audience` of a deployment. */
export interface VerifierOptions {
  /** Where the key set is, such as `https://nfts.example.com/.well-known/jwks.json`. */
  keySetUrl?: string | URL | undefined
  /** The key set itself, in place of its address. New keys of the service are then unknown. */
  keySet?: JSONWebKeySet | undefined
  /** The `iss` of this deployment's tokens. */
  issuer: string
  /** The `aud` of this deployment's player tokens. */
  audience: string
  /** The id of your product. Player tokens for the games of other products are rejected. */
  productId?: string | undefined
  /** How far the clocks may differ, in seconds; 30 by default. */
  clockToleranceSeconds?: number | undefined
}

/** A player whose token was verified. */
export interface VerifiedPlayer {
  userId: number
  /** The product whose game the token is for. `undefined`: for every game. */
  productId: string | undefined
  issuedAt: Date
  expiresAt: Date
  /** All claims of the token. */
  claims: JWTPayload
}

/** The code of a {@link PlayerTokenError}. */
export type PlayerTokenErrorCode =
  | 'player_token_expired'
  | 'invalid_player_token'
  | 'other_game'
  | 'key_set_unavailable'

/** The player token was not accepted. `cause` is the error of jose, if there is one. */
export class PlayerTokenError extends Error {
  override readonly name = 'PlayerTokenError'
  /**
   * `player_token_expired`: the player needs a new token. `invalid_player_token`: it is no player token of this
   * deployment. `other_game`: it is for the game of another product. `key_set_unavailable`: the key set could
   * not be read, so the token can be valid.
   */
  readonly code: PlayerTokenErrorCode

  constructor(code: PlayerTokenErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
  }
}

/** The key set may be cached for five minutes: a new key is published earlier than that before it signs (D32). */
const keySetMaxAgeMs = 5 * 60_000

/**
 * Returns a function that verifies player tokens without a request to the service: only the key set is read, and
 * kept for five minutes. Make it once per process. It rejects with a {@link PlayerTokenError}.
 * @throws {TypeError} if there is not exactly one of `keySetUrl` and `keySet`.
 */
export function playerTokenVerifier(options: VerifierOptions) {
  const keys = keysOf(options)
  const { issuer, audience, clockToleranceSeconds = 30 } = options
  const productId = options.productId?.toLowerCase()
  return async (playerToken: string): Promise<VerifiedPlayer> => {
    const { payload } = await jwtVerify<Claims>(playerToken, keys, {
      // The key set also has the keys of user JWTs. Without these two checks, a user JWT would be accepted.
      typ: 'player+jwt',
      audience,
      issuer,
      algorithms: ['ES256'],
      requiredClaims: ['exp', 'iat', 'sub'],
      clockTolerance: clockToleranceSeconds,
    }).catch((error: unknown) => {
      throw tokenError(error)
    })
    return playerOf(payload, productId)
  }
}

interface Claims {
  sub: string
  iat: number
  exp: number
  client_id?: unknown
}

function keysOf({ keySetUrl, keySet }: VerifierOptions) {
  if ((keySetUrl === undefined) === (keySet === undefined)) {
    throw new TypeError('Give either keySetUrl or keySet')
  }
  if (keySet) return createLocalJWKSet(keySet)
  const remote = createRemoteJWKSet(new URL(String(keySetUrl)), { cacheMaxAge: keySetMaxAgeMs })
  return async (...token: Parameters<typeof remote>) => {
    try {
      return await remote(...token)
    } catch (error) {
      if (codesOfTokens.has((error as { code?: unknown }).code)) throw error
      throw new PlayerTokenError('key_set_unavailable', 'The key set could not be read.', error)
    }
  }
}

/** The codes with which jose rejects a token while it looks for its key. All others are about the key set. */
const codesOfTokens = new Set<unknown>([
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
  'ERR_JOSE_NOT_SUPPORTED',
])

function playerOf(payload: Claims & JWTPayload, productId: string | undefined): VerifiedPlayer {
  const { sub, iat, exp, client_id: game } = payload
  const userId = Number(sub)
  if (!/^\d+$/.test(sub) || !Number.isSafeInteger(userId)) {
    throw new PlayerTokenError('invalid_player_token', 'The player token has no user id.')
  }
  // Otherwise another game, to which the player has given a token, could sign in here as the player (D52).
  if (game !== undefined && game !== productId) {
    throw new PlayerTokenError('other_game', 'The player token is for the game of another product.')
  }
  return {
    userId,
    productId: game === undefined ? undefined : productId,
    issuedAt: new Date(iat * 1000),
    expiresAt: new Date(exp * 1000),
    claims: payload,
  }
}

function tokenError(error: unknown): PlayerTokenError {
  if (error instanceof PlayerTokenError) return error
  const { code, message } = error as Error & { code?: unknown }
  if (code === 'ERR_JWT_EXPIRED') {
    return new PlayerTokenError('player_token_expired', 'The player token has expired.', error)
  }
  return new PlayerTokenError(
    'invalid_player_token',
    `The player token is invalid: ${message}.`,
    error,
  )
}
