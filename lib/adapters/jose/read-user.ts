import * as v from 'valibot'
import { addressOf } from '../../domain/nft/wallet.ts'
import { parseUserId } from '../../domain/player/player.ts'
import type { UserIdentity } from '../../domain/ports/players.ts'
import { codePointLength } from '../../domain/text.ts'
import { requestSubject } from '../../observability/request-subject.ts'
import type { ClaimValue, ClaimValues } from '../../settings/claim-values.ts'
import type { LoginClaims } from '../../settings/login-claims.ts'
import { userJwtClaimSettings } from '../../settings/user-jwts.ts'
import { type Claims, claimAt, refusedClaim } from './user-claims.ts'
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
 * Returns a function that reads the user from the claims of a verified user JWT, by the rules that the settings select
 * for its login (D21, D40, D41, D53, D90, D92). It notes for the log line how many addresses were kept, and entries
 * left out, and throws InvalidUserJwt with the violated rule.
 */
export function userReader(login: LoginClaims): (claims: Claims) => UserIdentity {
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
    const kept = new Set(wallets.map(addressOf)).size
    requestSubject.note({ wallets: { kept, leftOut } })
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

/**
 * Checks that each of these claims has its value, or one of its values: it is equal to it, or, where the value is text, has it
 * as an element of a list, or as a word of a text with spaces, such as a scope. Throws InvalidUserJwt (D92).
 */
export function checkRequiredClaims(claims: Claims, required: ClaimValues): void {
  for (const [path, values] of Object.entries(required)) {
    const claim = claimAt(claims, path)
    if (![values].flat().some((value) => hasValue(claim, value))) {
      throw refusedClaim(
        path,
        claim,
        'does not have a value that the settings of the login require',
      )
    }
  }
}

function hasValue(claim: unknown, value: ClaimValue): boolean {
  if (claim === value) return true
  if (typeof value !== 'string') return false
  const parts: readonly unknown[] =
    typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : []
  return parts.includes(value)
}

const maxCharacters = 100

const rule = `must be text of 1 to ${maxCharacters} characters`

/**
 * The username: the first of these claims that has a usable text. The claims `username` and `sub` are text (D21), and others
 * may be an integer number (D40). A text that is too long is cut after a whole character, but in `username` it is not usable
 * (D92). Throws InvalidUserJwt if there is none.
 */
export function usernameIn(claims: Claims, paths: readonly [string, ...string[]]): string {
  for (const path of paths) {
    const name = usableName(claimAt(claims, path), path)
    if (name !== undefined) return name
  }
  const [present] = paths.filter((path) => claimAt(claims, path) !== undefined)
  const mustBe = paths.every(isText) ? rule : `${rule}, or an integer number`
  throw refusedClaim(paths.join(' or '), present, mustBe)
}

/** Whether a claim is one of D21, which is text. */
const isText = (path: string) => path === 'username' || path === 'sub'

function usableName(value: unknown, path: string): string | undefined {
  const isNumber = Number.isSafeInteger(value) && Number(value) >= 0 && !isText(path)
  const name = isNumber ? `${value}` : value
  if (typeof name !== 'string' || name === '' || !name.isWellFormed()) return undefined
  // No character has more than two code units, so that this has the first ones.
  const start = name.slice(0, 2 * maxCharacters)
  if (start === name && codePointLength(name) <= maxCharacters) return name
  return path === 'username' ? undefined : Array.from(start).slice(0, maxCharacters).join('')
}
