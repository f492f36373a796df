import { walletIssuer } from '../domain/sign-in/session.ts'
import { userJwtAlgorithms, walletIssuerRule } from './forms.ts'
import type { ListedLogin } from './login-form.ts'
import { isPublicKeyFor, publicKeyRule } from './rules.ts'

/** The variables of the settings of one login, which a list replaces. Those of the key of the stack stay beside a list. */
const replacedByList = [
  'USER_JWT_PUBLIC_KEYS',
  'USER_JWT_JWKS_URL',
  'USER_JWT_ALGORITHM',
  'USER_JWT_ALGORITHMS',
  'USER_ID_CLAIM',
  'USERNAME_CLAIM',
  'WALLETS_CLAIM',
  'WALLET_CHAINS',
] as const
const ofStackKey = ['ISSUER', 'USER_JWT_AUDIENCE'] as const

/** A variable of the settings of one login. */
export type ReplacedVariable = (typeof replacedByList | typeof ofStackKey)[number]

/**
 * A sentence for each setting of one login that is set beside a list. `names`: those of the settings for the reader.
 */
export function replacedSettingFaults(
  isSet: (variable: ReplacedVariable) => boolean,
  names: { readonly list: string; readonly of: (variable: ReplacedVariable) => string },
  hasStackKey = false,
): string[] {
  const replaced = [...replacedByList, ...(hasStackKey ? [] : ofStackKey)]
  return replaced
    .filter(isSet)
    .map(
      (variable) =>
        `${names.of(variable)} must be left out with ${names.list}, which has it for each login`,
    )
}

/** Why user ids are not subjects with several logins, after the name of the setting (D41, D90). */
export const assignedIdsRule =
  'must be assigned with more than one login, because two logins never share a user id: a deployment that has players with subject gives all of them new ids'

interface OtherTokens {
  /** The login of the key of the stack, which is one of several if there is a list too. */
  readonly own?: { issuer: string; audience: string } | undefined
  readonly playerTokenAudience?: string | undefined
}

/**
 * The faults of a list of logins whose form is right, each a sentence without a full stop that begins with the name of the
 * list: of the keys of a login, and of what two logins must not share (D90).
 */
export function loginListFaults(
  logins: readonly ListedLogin[],
  list: string,
  { own, playerTokenAudience }: OtherTokens = {},
): string[] {
  const named = logins.map((login, index) => namedLogin(login, `${list}.${index}`))
  const stack = own && {
    ...{ name: 'the key of the stack', issuer: own.issuer, users: own.issuer },
    audiences: [own.audience],
  }
  return [
    ...logins.flatMap((login, index) => faultsOfOne(login, `${list}.${index}`)),
    ...named.flatMap(({ name, audiences, users }) => [
      ...(playerTokenAudience !== undefined && audiences.includes(playerTokenAudience)
        ? [`${name}.audiences must not have the audience of player tokens`]
        : []),
      // The default of the users is the issuer.
      ...(users === walletIssuer ? [`${name}.users ${walletIssuerRule}`] : []),
    ]),
    ...named.flatMap((login, index) =>
      [...(stack ? [stack] : []), ...named.slice(0, index)].flatMap((other) =>
        sharedFaults(login, other),
      ),
    ),
  ]
}

interface NamedLogin {
  readonly name: string
  readonly issuer: string | undefined
  readonly audiences: readonly string[]
  readonly users: string
}

const namedLogin = (
  { issuer, statesIssuer, audiences, users }: ListedLogin,
  name: string,
): NamedLogin => ({
  ...{ name, audiences, users: users ?? issuer },
  issuer: statesIssuer === false ? undefined : issuer,
})

/** A JWT fits at most one login, and a subject has one user id for each name of users. */
function sharedFaults({ name, issuer, audiences, users }: NamedLogin, other: NamedLogin): string[] {
  if (issuer === other.issuer && audiences.some((each) => other.audiences.includes(each))) {
    return [
      `${name}.audiences must not have an audience of ${other.name}, which has the same issuer`,
    ]
  }
  return users === other.users
    ? [
        `${name}.users must differ from that of ${other.name}, because two logins never share a user`,
      ]
    : []
}

/** The faults of a login that its form does not find. */
const faultsOfOne = (login: ListedLogin, name: string): string[] => [
  ...keyFaults(login, name),
  ...(login.wallets?.where && login.wallets.addressField === undefined
    ? [`${name}.wallets.addressField must be set with where, which keeps objects only`]
    : []),
]

function keyFaults({ jwksUrl, publicKeys, algorithms }: ListedLogin, name: string): string[] {
  if ((jwksUrl === undefined) === (publicKeys === undefined)) {
    return [`${name} must have either jwksUrl or publicKeys`]
  }
  if (!publicKeys) return []
  const [algorithm = 'ES256', ...others] = algorithms ?? []
  const ofKeys = userJwtAlgorithms.find((each) => each === algorithm)
  if (ofKeys === undefined || others.length > 0) {
    return [
      `${name}.algorithms must be one of ${userJwtAlgorithms.join(', ')}, because there is no jwksUrl`,
    ]
  }
  return publicKeys.every((key) => isPublicKeyFor(ofKeys, key))
    ? []
    : [`${name}.publicKeys ${publicKeyRule(ofKeys, 'algorithms')}`]
}
