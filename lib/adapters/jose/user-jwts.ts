import { decodeJwt, errors, type JWTPayload } from 'jose'
import { InvalidUserJwt } from '../../domain/credential-failures.ts'
import { parseUserId } from '../../domain/player/player.ts'
import { jwtKind } from '../../domain/player/player-token.ts'
import type { UserIdentity, UserJwts } from '../../domain/ports/players.ts'
import { requestSubject } from '../../observability/request-subject.ts'
import { type LoginClaims, loginClaimSettings } from '../../settings/login-claims.ts'
import { loginKeySettings } from '../../settings/logins.ts'
import { userJwtClaimSettings } from '../../settings/user-jwts.ts'
import type { VerificationKeys } from '../verification-keys.ts'
import { leewaySeconds, userReader } from './read-user.ts'
import { claimAt, refusedClaim } from './user-claims.ts'
import { jwtFault, verifyJwt } from './verify-jwt.ts'

/**
 * Verifies user JWTs with jose, each as one of the login that it names (D21, D40, D90). `keys` has the keys of each login, in
 * the order of the settings.
 */
export function joseUserJwts(...keys: [VerificationKeys, ...VerificationKeys[]]): UserJwts {
  const algorithms = loginKeySettings().map((login) => login.algorithms)
  const logins = loginClaimSettings().map((login, index) => ({
    ...login,
    verify: verifierOf(login, algorithms[index] ?? [], keys[index] ?? keys[0]),
  }))

  return {
    async verify(userJwt) {
      // Before the signature: a player token gives no reason to look for new keys of the login.
      if (jwtKind(userJwt) === 'player_token') throw new InvalidUserJwt('player_token')
      try {
        return await loginOf(userJwt, logins).verify(userJwt)
      } catch (error) {
        throw error instanceof errors.JOSEError ? new InvalidUserJwt(jwtFault(error)) : error
      }
    },
  }
}

/** Verifies the user JWTs of a login. Rejects with an error of jose, or with InvalidUserJwt. */
function verifierOf(
  login: LoginClaims,
  algorithms: string[],
  keys: VerificationKeys,
): (userJwt: string) => Promise<UserIdentity> {
  const { issuer, audiences, userIdClaim } = login
  const { userIds } = userJwtClaimSettings()
  const readUser = userReader(login)
  const options = {
    algorithms,
    ...(issuer !== undefined && { issuer }),
    audience: audiences,
    clockTolerance: leewaySeconds,
    requiredClaims: [...(userIdClaim === 'sub' ? ['sub'] : []), 'iat', 'exp'],
  }

  /** The claims of an expired user JWT are verified, so its log line can name the player, without a read of the table. */
  function noteUser(claims: JWTPayload): void {
    const subject = userIds === 'assigned' ? undefined : claimAt(claims, userIdClaim)
    const userId = subject === undefined ? undefined : parseUserId(String(subject))
    requestSubject.note({ userId })
  }

  return async (userJwt) => {
    try {
      const { payload } = await verifyJwt(userJwt, keys, options)
      return readUser(payload)
    } catch (error) {
      if (error instanceof errors.JWTExpired) noteUser(error.payload)
      throw error
    }
  }
}

/**
 * The one login that a user JWT names with its claims `iss` and `aud`, which are compared character by character and are
 * not verified yet. Throws InvalidUserJwt if there is none, or if the JWT fits several, and an error of jose for a text
 * that is no JWT. Reads no key (D90).
 */
export function loginOf<Login extends Pick<LoginClaims, 'issuer' | 'audiences'>>(
  userJwt: string,
  logins: readonly Login[],
): Login {
  const { iss, aud } = decodeJwt(userJwt) as { iss?: unknown; aud?: unknown }
  const ofIssuer = logins.filter(({ issuer }) => issuer === iss)
  if (ofIssuer.length === 0) {
    throw refusedClaim('iss', iss, 'is not the issuer that this service accepts')
  }
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  const [login, ...others] = ofIssuer.filter(({ audiences }) =>
    audiences.some((audience) => named.includes(audience)),
  )
  if (!login)
    throw refusedClaim('aud', aud, 'does not contain the audience that this service accepts')
  if (others.length > 0) throw refusedClaim('aud', aud, 'contains the audiences of two logins')
  return login
}
