import { errors, type JWTPayload } from 'jose'
import { InvalidUserJwt } from '../../domain/credential-failures.ts'
import { jwtKind } from '../../domain/player/jwt-header.ts'
import { parseUserId } from '../../domain/player/player.ts'
import type { UserJwts } from '../../domain/ports/users.ts'
import { requestSubject } from '../../observability/request-subject.ts'
import { tokenSettings } from '../../settings/player-tokens.ts'
import { userJwtClaimSettings, userJwtKeySettings } from '../../settings/user-jwts.ts'
import type { VerificationKeys } from '../verification-keys.ts'
import { jwtFault } from './jwt-fault.ts'
import { claimAt, leewaySeconds, userClaims } from './user-claims.ts'
import { verifyJwt } from './verify-jwt.ts'

/** Verifies user JWTs with jose (D21, D40). */
export function joseUserJwts(keys: VerificationKeys): UserJwts {
  const { issuer, userJwtAudience } = tokenSettings()
  const { userIdClaim, userIds } = userJwtClaimSettings()
  const readUser = userClaims()
  const options = {
    algorithms: userJwtKeySettings().algorithms,
    issuer,
    audience: userJwtAudience,
    clockTolerance: leewaySeconds,
    requiredClaims: [...(userIdClaim === 'sub' ? ['sub'] : []), 'iat', 'exp'],
  }

  /** The claims of an expired user JWT are verified, so its log line can name the player, without a read of the table. */
  function noteUser(claims: JWTPayload): void {
    const subject = userIds === 'assigned' ? undefined : claimAt(claims, userIdClaim)
    const userId = subject === undefined ? undefined : parseUserId(String(subject))
    requestSubject.note({ userId })
  }

  return {
    async verify(userJwt) {
      // Before the signature: a player token gives no reason to look for new keys of the login.
      if (jwtKind(userJwt) === 'player_token') throw new InvalidUserJwt('player_token')
      try {
        const { payload } = await verifyJwt(userJwt, keys, options)
        return readUser(payload)
      } catch (error) {
        if (error instanceof errors.JWTExpired) noteUser(error.payload)
        throw error instanceof errors.JOSEError ? new InvalidUserJwt(jwtFault(error)) : error
      }
    },
  }
}
