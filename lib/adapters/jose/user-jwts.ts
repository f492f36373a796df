import { errors } from 'jose'
import { Failure, InvalidUserJwt } from '../../domain/failures.ts'
import { jwtKind } from '../../domain/player/jwt-kind.ts'
import type { UserJwts } from '../../domain/ports/users.ts'
import { tokenSettings } from '../../settings/player-tokens.ts'
import { userJwtClaimSettings, userJwtKeySettings } from '../../settings/user-jwts.ts'
import type { VerificationKeys } from '../verification-keys.ts'
import { leewaySeconds, userClaims } from './user-claims.ts'
import { verifyJwt } from './verify-jwt.ts'

/** Verifies user JWTs with jose (D21, D40). */
export function joseUserJwts(keys: VerificationKeys): UserJwts {
  const { issuer, userJwtAudience } = tokenSettings()
  const { userIdClaim } = userJwtClaimSettings()
  const readUser = userClaims()
  const options = {
    algorithms: userJwtKeySettings().algorithms,
    issuer,
    audience: userJwtAudience,
    clockTolerance: leewaySeconds,
    requiredClaims: [...(userIdClaim === 'sub' ? ['sub'] : []), 'iat', 'exp'],
  }

  return {
    async verify(userJwt) {
      // Before the signature: a player token gives no reason to look for new keys of the login.
      if (jwtKind(userJwt) === 'player_token') throw new InvalidUserJwt('player_token')
      try {
        const { payload } = await verifyJwt(userJwt, keys, options)
        return readUser(payload)
      } catch (error) {
        throw failureOf(error)
      }
    },
  }
}

function failureOf(error: unknown): unknown {
  if (error instanceof Failure) return error
  if (error instanceof errors.JWTExpired) return new InvalidUserJwt('expired')
  if (error instanceof errors.JWTClaimValidationFailed) return new InvalidUserJwt(claimFault(error))
  if (error instanceof errors.JOSEAlgNotAllowed) return new InvalidUserJwt('algorithm')
  if (error instanceof errors.JOSENotSupported) return new InvalidUserJwt('critical')
  if (error instanceof errors.JWKSNoMatchingKey) return new InvalidUserJwt('unknown_key')
  if (error instanceof errors.JWSSignatureVerificationFailed) return new InvalidUserJwt('signature')
  if (error instanceof errors.JOSEError) return new InvalidUserJwt('malformed')
  return error
}

/** The rules of the claims that jose checks. */
const rules: Readonly<Record<string, string>> = {
  iss: 'is not the issuer that this service accepts',
  aud: 'does not contain the audience that this service accepts',
  nbf: 'is in the future: the user JWT is not valid yet',
}

function claimFault({ claim, reason }: errors.JWTClaimValidationFailed) {
  if (reason === 'missing') return { claim, rule: 'is missing' }
  if (reason === 'invalid') return { claim, rule: 'must be a number of seconds since 1970' }
  return { claim, rule: rules[claim] ?? 'is not accepted' }
}
