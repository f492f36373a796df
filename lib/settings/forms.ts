import * as v from 'valibot'
import { parseAddress } from '../domain/nft/address.ts'
import { chainMeantBy, chains, coveredChains, isChain, isCovered } from '../domain/nft/chain.ts'
import { walletIssuer } from '../domain/sign-in/session.ts'

// The forms of the values of settings. Each message completes a sentence that begins with the setting's name.

/** Text that is not blank, without space around it. */
export const text = v.pipe(v.string('must be text'), v.trim(), v.nonEmpty('must not be empty'))

/** The rule for it, after the name of a setting. */
export const walletIssuerRule = `must not be ${walletIssuer}, which names people who sign in with a wallet`

/** The issuer of the login of the single settings. */
export const loginIssuer = v.pipe(
  text,
  v.check((issuer) => issuer !== walletIssuer, walletIssuerRule),
)

export const texts = v.pipe(
  v.array(text, 'must be a list'),
  v.minLength(1, 'must not be an empty list'),
)

export const httpUrl = v.pipe(
  v.string('must be a URL'),
  v.url('must be a URL'),
  v.regex(/^https?:/, 'must be an http(s) URL'),
)

/** A whole number between two bounds, both of which are included. */
// @__NO_SIDE_EFFECTS__
export function wholeNumber(
  least: number,
  most: number,
  message = `must be a whole number from ${least} to ${most}`,
) {
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most, message),
  )
}

/** A delay in seconds with which SQS can deliver a message. */
export const sqsDelaySeconds = wholeNumber(1, 900)

/** The fault of a chain that cannot be opened, or of a text that is not the name of a chain (D56). */
function chainFault(given: unknown): string {
  const name = JSON.stringify(given)
  if (typeof given !== 'string') return `${name} is not the name of a chain`
  if (isChain(given)) {
    const isRetired = chains[given].coverage === 'retired'
    return `${given} ${isRetired ? 'was shut down' : 'is not covered by the indexer'}`
  }
  const meant = chainMeantBy(given)
  return `${name} is not the name of a chain${meant ? `, ${meant} is` : ''}`
}

const oneOfTheChains = (verb: string, given: unknown) =>
  `must ${verb} one of ${coveredChains.join(', ')}: ${chainFault(given)}`

/** Names of chains that the indexer covers (D56). */
export const followedChainList = v.array(
  v.picklist(coveredChains, ({ input }) => oneOfTheChains('be', input)),
  'must be a list',
)

/** The same, at least one of them. */
export const chainList = v.pipe(followedChainList, v.minLength(1, 'must name a chain'))

/** The signature algorithms of user JWTs (D22). */
export const userJwtAlgorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'] as const

/** One of {@link userJwtAlgorithms}. */
export const userJwtAlgorithm = v.picklist(
  userJwtAlgorithms,
  `must be one of ${userJwtAlgorithms.join(', ')}`,
)

/** The signature algorithms that a login with a JWKS URL can be allowed, all of them asymmetric (D40). */
const keySetAlgorithms = [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
] as const

/** One or more of {@link keySetAlgorithms}. */
export const keySetAlgorithmList = v.pipe(
  v.array(
    v.picklist(keySetAlgorithms, `must be one of ${keySetAlgorithms.join(', ')}`),
    'must be a list',
  ),
  v.minLength(1, 'must name an algorithm'),
)

/** The URL of a JWK set. A URL with a user name is rejected, because logs and messages can contain URLs. */
export const keySetUrl = v.pipe(
  httpUrl,
  v.check((url) => {
    const { username, password, hash } = new URL(url)
    return username === '' && password === '' && hash === ''
  }, 'must not contain a user name, a password or a fragment'),
)

/** The path of a claim (D40). */
export const claimPath = v.pipe(
  text,
  v.maxLength(200, 'must have at most 200 characters'),
  v.check((path) => !path.split('.').includes(''), 'must not have an empty part between dots'),
)

/** The sources of user ids (D41). */
export const userIdSource = v.picklist(['subject', 'assigned'], 'must be one of subject, assigned')

/** Whether player tokens must be for one product (D52). */
export const playerTokenProductRule = v.picklist(
  ['optional', 'required'],
  'must be one of optional, required',
)

/** An ERC-20 token, written `<CHAIN>:<address>:<decimals>`, with or without `:<symbol>` (D29, D36). */
export const serviceToken = v.pipe(
  v.string('must be text'),
  v.check(
    isServiceToken,
    'must be <CHAIN>:<address>:<decimals> or <CHAIN>:<address>:<decimals>:<symbol>, with 0 to 77 decimals',
  ),
  v.check(
    (token) => {
      const chain = chainOf(token)
      return isChain(chain) && isCovered(chain)
    },
    ({ input }) => oneOfTheChains('have', chainOf(input)),
  ),
)

export const chainOf = (token: string): string => token.split(':', 1)[0] ?? ''

function isServiceToken(token: string): boolean {
  const [chain, address = '', decimals = '', symbol, ...more] = token.split(':')
  // A symbol without a letter is a typing error: a second number of decimals.
  if (symbol !== undefined && !/^(?=.*\p{L})[^\s:]{1,32}$/u.test(symbol)) return false
  if (more.length > 0 || !chain) return false
  return parseAddress(address).fault === undefined && /^([0-9]|[1-6][0-9]|7[0-7])$/.test(decimals)
}
