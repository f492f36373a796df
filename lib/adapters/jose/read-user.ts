import * as v from 'valibot'
import { parseUserId } from '../../domain/player/player.ts'
import type { UserIdentity } from '../../domain/ports/users.ts'
import { requestSubject } from '../../observability/request-subject.ts'
import type { LoginClaims } from '../../settings/login-claims.ts'
import { userJwtClaimSettings } from '../../settings/user-jwts.ts'
import { checkRequiredClaims } from './required-claims.ts'
import { type Claims, claimAt, refusedClaim } from './user-claims.ts'
import { usernameIn } from './username-claims.ts'
import { walletsIn } from './wallets-claim.ts'

/** The accepted clock difference, in seconds (D21). */
export const leewaySeconds = 30

const subjectForm = v.pipe(
  v.string(),
  v.check((text) => parseUserId(text) !== undefined),
)
const assignedForm = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.maxLength(255),
  v.check((text) => text.isWellFormed()),
)
const issuedAtForm = v.pipe(v.number(), v.minValue(0))

/**
 * Reads the user from the claims of a verified user JWT, and notes for the log line how many wallets were kept and left out.
 * Throws InvalidUserJwt with the violated rule.
 */
export type ReadUser = (claims: Claims) => UserIdentity

/** The rules for the claims of the user JWTs of a login, as the settings select them (D21, D40, D41, D53, D90, D92). */
export function userReader(login: LoginClaims): ReadUser {
  const { users, userIdClaim, usernameClaims, wallets: from, requiredClaims } = login
  const { userIds, maxLifetimeSeconds } = userJwtClaimSettings()
  const [idForm, idRule] =
    userIds === 'assigned'
      ? [assignedForm, 'must be text of 1 to 255 characters']
      : [
          subjectForm,
          `needs the setting userIds (USER_IDS) "assigned", or must be a decimal integer from 0 to 2^53-1, written as text`,
        ]
  return (claims) => {
    const issuedAt = issuedAtIn(claims, maxLifetimeSeconds)
    checkRequiredClaims(claims, requiredClaims)
    const { wallets, leftOut } = walletsIn(claimAt(claims, from.claim), from)
    requestSubject.note({ wallets: { kept: wallets.length, leftOut } })
    return {
      issuer: users,
      subject: subjectIn(claims, userIdClaim, idForm, idRule),
      username: usernameIn(claims, usernameClaims),
      wallets,
      issuedAt: Math.floor(issuedAt),
    }
  }
}

const secondsRule = 'must be a number of seconds since 1970'

/** When a user JWT was issued. It is not in the future, and so long before the end that the JWT has the longest lifetime at most. */
function issuedAtIn(claims: Claims, maxLifetimeSeconds: number): number {
  const issuedAt = read(claims, 'iat', issuedAtForm, secondsRule)
  if (issuedAt > Date.now() / 1000 + leewaySeconds) {
    throw refusedClaim('iat', issuedAt, 'is in the future')
  }
  // A JWT that has not expired is then also at most this old.
  const expiresAt = read(claims, 'exp', v.number(), secondsRule)
  if (expiresAt - issuedAt > maxLifetimeSeconds) {
    throw refusedClaim('exp', expiresAt, `is more than ${maxLifetimeSeconds} seconds after iat`)
  }
  return issuedAt
}

/** The subject. A claim that the deployment selects may be a number; `sub` is text (D21, D40). */
function subjectIn(
  claims: Claims,
  path: string,
  form: v.GenericSchema<string, string>,
  rule: string,
): string {
  return path === 'sub'
    ? read(claims, path, form, rule)
    : read(claims, path, v.pipe(textOrNumber, form), `${rule}, or an integer number`)
}

const textOrNumber = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.safeInteger(), v.minValue(0))]),
  v.transform(String),
)

function read<Form extends v.GenericSchema>(
  claims: Claims,
  path: string,
  form: Form,
  rule: string,
): v.InferOutput<Form> {
  const value = claimAt(claims, path)
  const result = v.safeParse(form, value)
  if (result.success) return result.output
  throw refusedClaim(path, value, rule)
}
