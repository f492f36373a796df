import type { CoveredChain } from '../domain/nft/chain.ts'
import type { ClaimValues } from './claim-values.ts'
import type { ListedLogin } from './login-form.ts'
import { loginListSettings } from './logins.ts'
import { tokenSettings } from './player-tokens.ts'
import type { AtLeastOne } from './setting.ts'
import { USER_ID_CLAIM, USERNAME_CLAIM, userJwtClaimSettings, WALLETS_CLAIM } from './user-jwts.ts'

/** Where the wallets of a user are in the user JWTs of a login (D92). */
export interface WalletsFrom {
  readonly claim: string
  /** The path of the address in an entry that is an object. */
  readonly addressField?: string | undefined
  /** The values of fields that an entry must have to be kept. Without it, every entry is kept. */
  readonly where?: ClaimValues | undefined
  /** The chains on which the wallets count. Without it, they count on all. */
  readonly chains?: readonly CoveredChain[] | undefined
}

/** What the user JWTs of a login state, and where. */
export interface LoginClaims {
  /** The claim `iss`; undefined if the JWTs have none. */
  issuer: string | undefined
  audiences: AtLeastOne<string>
  /** The name of its users, which stands for the issuer where user ids are assigned (D41, D90). */
  users: string
  userIdClaim: string
  /** The claims of the username: the first that is usable counts. */
  usernameClaims: AtLeastOne<string>
  wallets: WalletsFrom
  requiredClaims: ClaimValues
}

/** The claims of every login, in the order of `loginKeySettings` (D90). */
export function loginClaimSettings(): AtLeastOne<LoginClaims> {
  const { logins, keyArns } = loginListSettings()
  if (!logins) return [ofSingleSettings()]
  const listed = logins.map(claimsOf) as AtLeastOne<LoginClaims>
  return keyArns ? [ofSingleSettings(), ...listed] : listed
}

function ofSingleSettings(): LoginClaims {
  const { issuer, userJwtAudience } = tokenSettings()
  if (issuer === undefined || userJwtAudience === undefined) {
    throw new Error('Invalid settings: ISSUER and USER_JWT_AUDIENCE must be set')
  }
  const { userIdClaim, usernameClaim, walletsClaim, walletChains } = userJwtClaimSettings()
  return {
    issuer,
    audiences: [userJwtAudience],
    users: issuer,
    userIdClaim,
    usernameClaims: [usernameClaim],
    wallets: { claim: walletsClaim, chains: walletChains },
    requiredClaims: {},
  }
}

function claimsOf(login: ListedLogin): LoginClaims {
  const { issuer, audiences, users, userIdClaim, usernameClaims, wallets, requiredClaims } = login
  return {
    issuer: login.statesIssuer === false ? undefined : issuer,
    audiences: audiences as AtLeastOne<string>,
    users: users ?? issuer,
    userIdClaim: userIdClaim ?? USER_ID_CLAIM.default,
    usernameClaims: (usernameClaims ?? [USERNAME_CLAIM.default]) as AtLeastOne<string>,
    wallets: wallets ?? { claim: WALLETS_CLAIM.default },
    requiredClaims: requiredClaims ?? {},
  }
}
