import { type ListedLogin, loginList } from './login-form.ts'
import { loginListFaults } from './login-rules.ts'
import { part } from './part.ts'
import type { AtLeastOne, Setting } from './setting.ts'
import {
  USER_JWT_ALGORITHM,
  USER_JWT_ALGORITHMS,
  USER_JWT_JWKS_URL,
  USER_JWT_KEY_ARNS,
  USER_JWT_PUBLIC_KEYS,
  userJwtKeySettings,
} from './user-jwts.ts'

export const LOGINS = {
  meaning:
    'several logins, each with its issuer, audiences and keys, in place of the settings of one login: a list in JSON ([several logins](connect-your-platform.md#several-logins), D90)',
  form: loginList,
  optional: true,
  inDeployment: 'logins',
} as const satisfies Setting

/** The keys of a login: the ARNs of KMS keys, public keys, or the URL of its JWK set; and the accepted algorithms. */
export interface LoginKeys {
  keyArns?: AtLeastOne<string> | undefined
  publicKeys?: AtLeastOne<string> | undefined
  jwksUrl?: string | undefined
  algorithms: AtLeastOne<string>
}

/** The list of logins, and whether the key of the stack is a login beside them. Without a list, `logins` is undefined. */
export const loginListSettings = part(
  { LOGINS, USER_JWT_KEY_ARNS, USER_JWT_PUBLIC_KEYS, USER_JWT_JWKS_URL },
  (env) => ({
    logins: env.LOGINS as AtLeastOne<ListedLogin> | undefined,
    keyArns: env.USER_JWT_KEY_ARNS as AtLeastOne<string> | undefined,
  }),
  ({ LOGINS: logins, USER_JWT_PUBLIC_KEYS, USER_JWT_JWKS_URL }) => [
    ...(logins && (USER_JWT_PUBLIC_KEYS ?? USER_JWT_JWKS_URL) !== undefined
      ? ['USER_JWT_PUBLIC_KEYS and USER_JWT_JWKS_URL must not be set with LOGINS']
      : []),
    ...loginListFaults(logins ?? [], 'LOGINS'),
  ],
)

/**
 * The keys of every login: those of the stack first, then those of the list. Without a list, of the single settings
 * (D90).
 */
export function loginKeySettings(): AtLeastOne<LoginKeys> {
  const { logins, keyArns } = loginListSettings()
  if (!logins) return [userJwtKeySettings()]
  const [first, ...others] = logins.map(keysOf) as AtLeastOne<LoginKeys>
  return keyArns
    ? [{ keyArns, algorithms: [USER_JWT_ALGORITHM.default] }, first, ...others]
    : [first, ...others]
}

function keysOf({ jwksUrl, publicKeys, algorithms }: ListedLogin): LoginKeys {
  const usual = jwksUrl ? USER_JWT_ALGORITHMS.default : [USER_JWT_ALGORITHM.default]
  return {
    jwksUrl,
    publicKeys: publicKeys as AtLeastOne<string> | undefined,
    algorithms: (algorithms ?? usual) as AtLeastOne<string>,
  }
}
