import { decodeJwt } from 'jose'
import { InvalidUserJwt } from '../../domain/credential-failures.ts'

/** What selects the login of a user JWT. */
interface NamedLogin {
  /** Undefined for JWTs without `iss`. */
  readonly issuer: string | undefined
  readonly audiences: readonly string[]
}

/**
 * The one login that a user JWT names with its claims `iss` and `aud`, which are compared character by character and are
 * not verified yet. Throws InvalidUserJwt if there is none, or if the JWT fits several, and an error of jose for a text
 * that is no JWT. Reads no key (D90).
 */
export function loginOf<Login extends NamedLogin>(
  userJwt: string,
  logins: readonly Login[],
): Login {
  const { iss, aud } = decodeJwt(userJwt) as { iss?: unknown; aud?: unknown }
  const ofIssuer = logins.filter(({ issuer }) => issuer === iss)
  if (ofIssuer.length === 0) {
    throw refusal('iss', iss, 'is not the issuer that this service accepts')
  }
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  const [login, ...others] = ofIssuer.filter(({ audiences }) =>
    audiences.some((audience) => named.includes(audience)),
  )
  if (!login) throw refusal('aud', aud, 'does not contain the audience that this service accepts')
  if (others.length > 0) throw refusal('aud', aud, 'contains the audiences of two logins')
  return login
}

const refusal = (claim: string, value: unknown, rule: string) =>
  new InvalidUserJwt({ claim, rule: value === undefined ? 'is missing' : rule })
