import { errors } from 'jose'
import { InvalidPlayerToken, PlayerTokenExpired } from '../../domain/failures.ts'
import { jwtKind } from '../../domain/jwt-kind.ts'
import { parseUserId } from '../../domain/player.ts'
import type { PlayerTokens } from '../../domain/ports.ts'
import { tokenSettings } from '../../settings/environment.ts'
import type { VerificationKeys } from '../verification-keys.ts'
import { verifyJwt } from './verify-jwt.ts'

/** Verifies player tokens with jose (D23, D42, D53). */
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
        return { userId: userIdIn(payload.sub), issuedAt: payload.iat as number }
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
