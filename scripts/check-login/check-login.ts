import { decodeJwt } from 'jose'
import { loginKeys } from '../../functions/composition/token-keys.ts'
import { claimAt } from '../../lib/adapters/jose/user-claims.ts'
import { joseUserJwts, loginOf } from '../../lib/adapters/jose/user-jwts.ts'
import { walletsIn } from '../../lib/adapters/jose/wallets-claim.ts'
import { InvalidUserJwt } from '../../lib/domain/credential-failures.ts'
import { ServiceUnavailable } from '../../lib/domain/failures.ts'
import { addressesOn, addressOf } from '../../lib/domain/nft/wallet.ts'
import { type LoginClaims, loginClaimSettings } from '../../lib/settings/login-claims.ts'
import { loginListSettings } from '../../lib/settings/logins.ts'
import { shapeOf, shownName } from './shapes.ts'

/** A login with the name by which its setting is known. */
type NamedLogin = LoginClaims & { readonly name: string }

/** What is said of a JWT, line by line, and whether it is accepted. */
interface Finding {
  lines: string[]
  isAccepted: boolean
}

/**
 * Says which login a JWT meets, which rule it breaks, and which claims it has, without a value of them. Reads the settings
 * from the environment, and the key set of the login.
 */
export async function checkLogin(jwt: string): Promise<Finding> {
  const claims = claimsIn(jwt)
  if (!claims)
    return { lines: ['This is not a signed JWT in its compact form.'], isAccepted: false }
  const logins = namedLogins()
  const { lines, isAccepted } = await verdictOn(jwt, logins)
  const names = Object.entries(claims).map(([name, value]) => [shownName(name), shapeOf([value])])
  const width = Math.max(0, ...names.map(([name = '']) => name.length))
  return {
    isAccepted,
    lines: [
      ...lines,
      '',
      'Its claims:',
      ...names.map(([name = '', shape]) => `  ${name.padEnd(width)}  ${shape}`),
    ],
  }
}

function namedLogins(): NamedLogin[] {
  const { logins, keyArns } = loginListSettings()
  const own = keyArns ? 1 : 0
  return loginClaimSettings().map((login, index) => ({
    ...login,
    name: logins && index >= own ? `LOGINS.${index - own}` : 'the login of ISSUER',
  }))
}

const described = ({ name, issuer, audiences }: NamedLogin) =>
  `${name} (${issuer === undefined ? 'no issuer' : `issuer ${issuer}`}, audiences ${audiences.join(', ')})`

async function verdictOn(jwt: string, logins: readonly NamedLogin[]): Promise<Finding> {
  let login: NamedLogin
  try {
    login = loginOf(jwt, logins)
  } catch (error) {
    return {
      isAccepted: false,
      lines: [
        'The JWT meets no login.',
        reasonOf(error),
        'The logins are:',
        ...logins.map((each) => `  ${described(each)}`),
      ],
    }
  }
  const meets = `The JWT meets ${described(login)}.`
  const warnings = writerWarnings(login.wallets.claim, login.issuer)
  try {
    await joseUserJwts(...loginKeys()).verify(jwt)
    return { isAccepted: true, lines: [meets, ...walletLines(jwt, login), ...warnings] }
  } catch (error) {
    return {
      isAccepted: false,
      lines: [meets, 'The JWT is refused.', reasonOf(error), ...warnings],
    }
  }
}

/** What is kept of the wallets of a JWT that is accepted. */
function walletLines(jwt: string, { wallets: from }: NamedLogin): string[] {
  const { wallets, leftOut } = walletsIn(claimAt(decodeJwt(jwt), from.claim), from)
  const kept = new Set(wallets.map(addressOf)).size
  const accepted = `The JWT is accepted. Wallets that are kept: ${kept}, and entries that are left out: ${leftOut}.`
  if (kept === 0 && leftOut > 0) {
    const names = from.chains ? '"where" and the chains' : '"where"'
    return [
      accepted,
      `Every entry of ${from.claim} is left out: compare ${names} with the claims below.`,
    ]
  }
  const counts = from.chains?.map((chain) => `${chain} ${addressesOn(chain, wallets).length}`)
  return counts ? [accepted, `They count on these chains only: ${counts.join(', ')}.`] : [accepted]
}

/** Why a JWT is refused, or could not be verified. Throws every other error. */
function reasonOf(error: unknown): string {
  if (error instanceof InvalidUserJwt) return error.message
  if (error instanceof ServiceUnavailable) {
    return `Its keys cannot be read: ${error.reason}. Compare jwksUrl with the documentation of the login.`
  }
  throw error
}

function claimsIn(jwt: string): Record<string, unknown> | undefined {
  try {
    return decodeJwt(jwt)
  } catch {
    return undefined
  }
}

/** A sentence for the claims of wallets that players can write with some providers: docs/connect-your-platform.md. */
function writerWarnings(claim: string, issuer = ''): string[] {
  if (/^https:\/\/cognito-idp\./.test(issuer) && claim.startsWith('custom:')) {
    return [
      `Cognito: users can write ${claim}, unless it is missing in the write attributes of every app client. Take it out, or let a trigger write the claim.`,
    ]
  }
  if (/\.auth0\.com\/$/.test(issuer)) {
    return [
      `Auth0: the Action that writes ${claim} must read app_metadata, never user_metadata, which users can write.`,
    ]
  }
  return /\/realms\/[^/]+$/.test(issuer)
    ? [
        `Keycloak: users can write the attribute behind ${claim}, unless the user profile of the realm lets only administrators edit it.`,
      ]
    : []
}
