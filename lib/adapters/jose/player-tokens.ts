import { createHash, type KeyObject } from 'node:crypto'
import { decodeProtectedHeader, errors } from 'jose'
import {
  InvalidPlayerToken,
  PlayerTokenExpired,
  type RefusedCredential,
} from '../../domain/credential-failures.ts'
import { parseUserId } from '../../domain/player/player.ts'
import { jwtKind } from '../../domain/player/player-token.ts'
import type { PlayerTokens, VerifiedPlayerToken } from '../../domain/ports/players.ts'
import { type ProductId, parseProductId } from '../../domain/product/product.ts'
import { requestSubject } from '../../observability/request-subject.ts'
import { tokenSettings } from '../../settings/player-tokens.ts'
import { recentlyUsed } from '../recently-used.ts'
import type { VerificationKeys } from '../verification-keys.ts'
import { jwtFault, verifyJwt } from './verify-jwt.ts'

/** The number of verified player tokens that a container keeps, each with less than 1 KB. */
const keptTokens = 1_000

/**
 * Verifies player tokens with jose (D23, D42, D52, D53), each once in a container (D95), in which the accepted keys stay
 * the same.
 */
export function josePlayerTokens(keys: VerificationKeys): PlayerTokens {
  const { playerTokenIssuers, playerTokenAudience } = tokenSettings()
  const options = {
    algorithms: ['ES256'],
    typ: 'player+jwt',
    issuer: playerTokenIssuers,
    audience: playerTokenAudience,
    requiredClaims: ['sub', 'iat', 'exp', 'jti'],
  }

  const verified = recentlyUsed<string, { token: VerifiedPlayerToken; exp: number }>(keptTokens)

  return {
    async verify(playerToken) {
      const known = verified.get(playerToken)
      // jose accepts a token while the whole second is earlier than `exp`.
      if (known && Math.floor(Date.now() / 1000) < known.exp) return known.token
      try {
        const { payload } = await verifyJwt(playerToken, keys, options)
        const { sub, iat, exp, client_id: clientId } = payload
        const productId = productIdIn(clientId)
        const token = {
          userId: userIdIn(sub),
          issuedAt: Number(iat),
          ...(productId && { productId }),
        }
        verified.set(playerToken, { token, exp: Number(exp) })
        return token
      } catch (error) {
        throw error instanceof errors.JOSEError ? await refusalOf(playerToken, error, keys) : error
      }
    },
  }
}

/** The refusal of a player token that jose does not accept. Notes the player of an expired one, whose claims are verified. */
async function refusalOf(
  playerToken: string,
  error: errors.JOSEError,
  keys: VerificationKeys,
): Promise<RefusedCredential> {
  if (error instanceof errors.JWTExpired) {
    requestSubject.note({ userId: parseUserId(String(error.payload.sub)) })
    return new PlayerTokenExpired()
  }
  if (jwtKind(playerToken) === 'other_jwt') return new InvalidPlayerToken('other_jwt')
  const fault = jwtFault(error)
  const isUnknown = fault === 'signature' && !(await isOfAcceptedKey(playerToken, keys))
  return new InvalidPlayerToken('foreign', isUnknown ? 'unknown_key' : fault)
}

/** Whether a player token names an accepted key: the `kid` is the thumbprint of the key (RFC 7638; D32). */
async function isOfAcceptedKey(playerToken: string, keys: VerificationKeys): Promise<boolean> {
  const { kid } = decodeProtectedHeader(playerToken)
  for await (const { key } of keys.accepted()) {
    if (thumbprintOf(key) === kid) return true
  }
  return false
}

/** The thumbprint of a P-256 key. That of jose would add 3 KB to every bundle that verifies player tokens. */
function thumbprintOf(key: KeyObject): string {
  const { crv, kty, x, y } = key.export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

/** The user id in the claim `sub`, whose type jose does not check. */
function userIdIn(sub: unknown): number {
  const userId = typeof sub === 'string' ? parseUserId(sub) : undefined
  if (userId === undefined) {
    throw new InvalidPlayerToken('foreign', { claim: 'sub', rule: 'is not a user id' })
  }
  return userId
}

/** The product in the claim `client_id`, as this service writes it; `undefined` without this claim. */
function productIdIn(clientId: unknown): ProductId | undefined {
  if (clientId === undefined) return undefined
  const productId = typeof clientId === 'string' ? parseProductId(clientId) : undefined
  if (productId === undefined) {
    throw new InvalidPlayerToken('foreign', { claim: 'client_id', rule: 'is not a product' })
  }
  return productId
}
