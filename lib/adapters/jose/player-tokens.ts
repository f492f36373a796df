import { errors } from 'jose'
import { InvalidPlayerToken, PlayerTokenExpired } from '../../domain/failures.ts'
import { jwtKind } from '../../domain/player/jwt-kind.ts'
import { parseUserId } from '../../domain/player/player.ts'
import type { PlayerTokens } from '../../domain/ports/players.ts'
import { type ProductId, parseProductId } from '../../domain/product/product.ts'
import { tokenSettings } from '../../settings/player-tokens.ts'
import type { VerificationKeys } from '../verification-keys.ts'
import { verifyJwt } from './verify-jwt.ts'

/** Verifies player tokens with jose (D23, D42, D52, D53). */
export function josePlayerTokens(keys: VerificationKeys): PlayerTokens {
  const { playerTokenIssuers, playerTokenAudience } = tokenSettings()
  const options = {
    algorithms: ['ES256'],
    typ: 'player+jwt',
    issuer: playerTokenIssuers,
    audience: playerTokenAudience,
    requiredClaims: ['sub', 'iat', 'exp', 'jti'],
  }

  return {
    async verify(playerToken) {
      try {
        const { payload } = await verifyJwt(playerToken, keys, options)
        const { sub, iat, client_id: clientId } = payload
        const productId = productIdIn(clientId)
        return {
          userId: userIdIn(sub),
          issuedAt: iat as number,
          ...(productId && { productId }),
        }
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new PlayerTokenExpired()
        if (error instanceof errors.JOSEError) {
          const isOther = jwtKind(playerToken) === 'other_jwt'
          throw new InvalidPlayerToken(isOther ? 'other_jwt' : 'foreign')
        }
        throw error
      }
    },
  }
}

/** The user id in the claim `sub`, whose type jose does not check. */
function userIdIn(sub: unknown): number {
  const userId = typeof sub === 'string' ? parseUserId(sub) : undefined
  if (userId === undefined) throw new InvalidPlayerToken('foreign')
  return userId
}

/** The product in the claim `client_id`, as this service writes it; `undefined` without this claim. */
function productIdIn(clientId: unknown): ProductId | undefined {
  if (clientId === undefined) return undefined
  const productId = typeof clientId === 'string' ? parseProductId(clientId) : undefined
  if (productId === undefined) throw new InvalidPlayerToken('foreign')
  return productId
}
