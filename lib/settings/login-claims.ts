import type { ListedLogin } from './login-form.ts'
import { loginListSettings } from './logins.ts'
import { tokenSettings } from './player-tokens.ts'
import type { AtLeastOne } from './setting.ts'
import { USER_ID_CLAIM, USERNAME_CLAIM, userJwtClaimSettings, WALLETS_CLAIM } from './user-jwts.ts'

/** What the user JWTs of a login state, and where. */
export interface LoginClaims {
  issuer: string
  audiences: AtLeastOne<string>
  /** The name of its users, which stands for the issuer where user ids are assigned (D41, D90). */
  users: string
  userIdClaim: string
  usernameClaim: string
  walletsClaim: string
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
  const { userIdClaim, usernameClaim, walletsClaim } = userJwtClaimSettings()
  return {
    issuer,
    audiences: [userJwtAudience],
    users: issuer,
    ...{ userIdClaim, usernameClaim, walletsClaim },
  }
}

const claimsOf = ({ issuer, audiences, users, userIdClaim }: ListedLogin): LoginClaims => ({
  issuer,
  audiences: audiences as AtLeastOne<string>,
  users: users ?? issuer,
  userIdClaim: userIdClaim ?? USER_ID_CLAIM.default,
  usernameClaim: USERNAME_CLAIM.default,
  walletsClaim: WALLETS_CLAIM.default,
})
