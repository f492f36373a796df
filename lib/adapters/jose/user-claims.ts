import * as v from 'valibot'
import { InvalidUserJwt } from '../../domain/credential-failures.ts'
import { parseAddress } from '../../domain/nft/address.ts'
import { parseUserId } from '../../domain/player/player.ts'
import type { UserIdentity } from '../../domain/ports/users.ts'
import { codePointLength } from '../../domain/text.ts'
import { unverified } from '../../json/unverified.ts'
import type { LoginClaims } from '../../settings/login-claims.ts'
import { userJwtClaimSettings } from '../../settings/user-jwts.ts'

/** The accepted clock difference, in seconds (D21). */
export const leewaySeconds = 30

const maxWallets = 20

/** A claim that the deployment selects may be a number; those of D21 are text. */
const textOrNumber = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.safeInteger(), v.minValue(0))]),
  v.transform(String),
)

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
const usernameForm = v.pipe(
  v.string(),
  v.check((name) => name.isWellFormed()),
  v.check((name) => codePointLength(name) >= 1 && codePointLength(name) <= 100),
)
const issuedAtForm = v.pipe(v.number(), v.minValue(0))

/** Reads the user from the claims of a verified user JWT. Throws InvalidUserJwt with the violated rule. */
export type ReadUser = (claims: Readonly<Record<string, unknown>>) => UserIdentity

/** The rules for the claims of the user JWTs of a login, as the settings select them (D21, D40, D41, D53). */
export function userClaims(login: LoginClaims): ReadUser {
  const { users, userIdClaim, usernameClaim, walletsClaim } = login
  const { userIds, maxLifetimeSeconds } = userJwtClaimSettings()
  const isAssigned = userIds === 'assigned'
  const [idForm, idRule] = isAssigned
    ? [assignedForm, 'must be text of 1 to 255 characters']
    : [subjectForm, 'must be a decimal integer from 0 to 2^53-1, written as text']
  return (claims) => {
    const read = <Form extends v.GenericSchema>(path: string, form: Form, rule: string) => {
      const value = claimAt(claims, path)
      const result = v.safeParse(form, value)
      if (result.success) return result.output
      throw new InvalidUserJwt({ claim: path, rule: value === undefined ? 'is missing' : rule })
    }
    const mapped = (path: string, form: v.GenericSchema<string>, rule: string) => {
      const isOwn = path === 'sub' || path === 'username'
      const either = v.pipe(textOrNumber, form)
      return read(path, isOwn ? form : either, isOwn ? rule : orNumber(rule))
    }
    const issuedAt = read('iat', issuedAtForm, secondsRule)
    if (issuedAt > Date.now() / 1000 + leewaySeconds) {
      throw new InvalidUserJwt({ claim: 'iat', rule: 'is in the future' })
    }
    // A JWT that has not expired is then also at most this old.
    if (read('exp', v.number(), secondsRule) - issuedAt > maxLifetimeSeconds) {
      throw new InvalidUserJwt({
        claim: 'exp',
        rule: `is more than ${maxLifetimeSeconds} seconds after iat`,
      })
    }
    return {
      issuer: users,
      subject: mapped(userIdClaim, idForm, idRule),
      username: mapped(usernameClaim, usernameForm, 'must be text of 1 to 100 characters'),
      wallets: walletsIn(read(walletsClaim, v.array(v.unknown()), 'must be a list'), walletsClaim),
      issuedAt: Math.floor(issuedAt),
    }
  }
}

const secondsRule = 'must be a number of seconds since 1970'

const orNumber = (rule: string) => `${rule}, or an integer number`

/** The distinct addresses of a list of wallets. */
function walletsIn(list: readonly unknown[], claim: string): UserIdentity['wallets'] {
  if (list.length > maxWallets) {
    throw new InvalidUserJwt({ claim, rule: `must have at most ${maxWallets} addresses` })
  }
  const wallets = list.map((wallet, index) => {
    const { address, fault = 'malformed' } = typeof wallet === 'string' ? parseAddress(wallet) : {}
    if (address) return address
    throw new InvalidUserJwt({
      claim,
      rule: `must be a list of addresses: ${index} ${faults[fault]}`,
    })
  })
  return [...new Set(wallets)]
}

/** What is wrong with a wallet, after its position in the list. */
const faults = {
  malformed: 'is not 0x and 40 hexadecimal digits',
  bad_checksum: 'has a wrong checksum',
}

/**
 * The claim at a path: a dot leads into an object. A name that itself contains dots, such as
 * `https://studio.example/wallets`, needs no escape, because the longest name that an object has is read
 * first. `undefined` if there is no such claim (D40).
 */
export function claimAt(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const name = path.slice(0, end)
    if (!Object.hasOwn(claims, name)) continue
    const value = unverified(claims)[name]
    return end === path.length ? value : claimAt(value, path.slice(end + 1))
  }
  return undefined
}
