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

const isUserId = (text: string): boolean => parseUserId(text) !== undefined

const isAssignable = (text: string): boolean =>
  text !== '' && text.length <= 255 && text.isWellFormed()

/**
 * Returns a function that reads the user from the claims of a verified user JWT, by the rules that the settings select
 * for its login (D21, D40, D41, D53, D90, D92). It notes for the log line how many addresses were kept, and entries
 * left out, and throws InvalidUserJwt with the violated rule.
 */
export function userReader(login: LoginClaims): (claims: Claims) => UserIdentity {
  const { users, userIdClaim, usernameClaims, wallets: from, requiredClaims } = login
  const { userIds, maxLifetimeSeconds } = userJwtClaimSettings()
  const [isSubject, subjectRule] =
    userIds === 'assigned'
      ? [isAssignable, 'must be text of 1 to 255 characters']
      : [
          isUserId,
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
      subject: subjectIn(claims, userIdClaim, isSubject, subjectRule),
      username: usernameIn(claims, usernameClaims),
      wallets,
      issuedAt: Math.floor(issuedAt),
    }
  }
}

/** When a user JWT was issued. It is not in the future, and so long before the end that the JWT has the longest lifetime at most. */
function issuedAtIn(claims: Claims, maxLifetimeSeconds: number): number {
  const issuedAt = secondsIn(claims, 'iat')
  if (issuedAt > Date.now() / 1000 + leewaySeconds) {
    throw refusedClaim('iat', issuedAt, 'is in the future')
  }
  // A JWT that has not expired is then also at most this old.
  const expiresAt = secondsIn(claims, 'exp')
  if (expiresAt - issuedAt > maxLifetimeSeconds) {
    throw refusedClaim('exp', expiresAt, `is more than ${maxLifetimeSeconds} seconds after iat`)
  }
  return issuedAt
}

function secondsIn(claims: Claims, name: 'iat' | 'exp'): number {
  const value = claims[name]
  if (typeof value === 'number' && value >= 0) return value
  throw refusedClaim(name, value, 'must be a number of seconds since 1970')
}

/** The subject. A claim that the deployment selects may be a number; `sub` is text (D21, D40). */
function subjectIn(
  claims: Claims,
  path: string,
  isSubject: (text: string) => boolean,
  rule: string,
): string {
  const value = claimAt(claims, path)
  const text = path !== 'sub' && isWholeNumber(value) ? `${value}` : value
  if (typeof text === 'string' && isSubject(text)) return text
  throw refusedClaim(path, value, path === 'sub' ? rule : `${rule}, or an integer number`)
}

const isWholeNumber = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

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
  const name = isWholeNumber(value) && !isText(path) ? `${value}` : value
  if (typeof name !== 'string' || name === '' || !name.isWellFormed()) return undefined
  // No character has more than two code units, so that this has the first ones.
  const start = name.slice(0, 2 * maxCharacters)
  if (start === name && codePointLength(name) <= maxCharacters) return name
  return path === 'username' ? undefined : Array.from(start).slice(0, maxCharacters).join('')
}
