import { type Address, checksumAddress, parseAddress } from '../nft/address.ts'

/** What a message says that a wallet signs to sign in (ERC-4361). Everything else in the message follows from it. */
export interface SignInMessage {
  /** The host at which the player signs in, with its port if it is not that of the scheme. */
  domain: string
  address: Address
  /** What the signature is for, in words. */
  statement: string
  chainId: number
  nonce: string
  /** In milliseconds since 1970. */
  issuedAt: number
  /** What the signature is for ({@link requestIdOf}). */
  requestId: string
}

/**
 * The characters that a statement can have, for a character class: spaces, and the reserved and unreserved ones of RFC 3986.
 */
export const statementCharacters = "\\w\\-.~:/?#[\\]@!$&'()*+,;= "

/** How long a message can be used, in milliseconds. */
export const messageLifetimeMilliseconds = 300_000

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** The origin of a host: https, but on loopback. */
export const originOf = (host: string): string =>
  `${loopback.test(host) ? 'http' : 'https'}://${host}`

/** Writes the message, in the form of ERC-4361. */
export function writeMessage(message: SignInMessage): string {
  const { domain, address, statement, chainId, nonce, issuedAt, requestId } = message
  const expiresAt = issuedAt + messageLifetimeMilliseconds
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    checksumAddress(address),
    '',
    statement,
    '',
    `URI: ${originOf(domain)}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${timeText(issuedAt)}`,
    `Expiration Time: ${timeText(expiresAt)}`,
    `Request ID: ${requestId}`,
  ].join('\n')
}

const timeText = (time: number) => new Date(time).toISOString()

/** The lines of a message, as far as they differ from one message to another. */
const form = new RegExp(
  // Anchored, so that it tries no text from each of its characters on.
  `^${[
    '(?<domain>[^\\s/]+) wants you to sign in with your Ethereum account:',
    '(?<address>0x[0-9a-fA-F]{40})',
    '',
    `(?<statement>[${statementCharacters}]+)`,
    '',
    'URI: \\S+',
    'Version: 1',
    'Chain ID: (?<chainId>[1-9]\\d{0,14})',
    'Nonce: (?<nonce>[0-9A-Za-z]+)',
    'Issued At: (?<issuedAt>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)',
    'Expiration Time: \\S+',
    'Request ID: (?<requestId>\\S+)',
  ].join('\n')}$`,
)

/** Reads a message; `undefined` unless it is, to the character, what {@link writeMessage} writes. */
export function readMessage(text: string): SignInMessage | undefined {
  const { groups } = form.exec(text) ?? {}
  if (!groups) return undefined
  const { address } = parseAddress(`${groups['address']}`)
  const issuedAt = Date.parse(`${groups['issuedAt']}`)
  if (!address || Number.isNaN(issuedAt)) return undefined
  const message: SignInMessage = {
    domain: `${groups['domain']}`,
    address,
    statement: `${groups['statement']}`,
    chainId: Number(groups['chainId']),
    nonce: `${groups['nonce']}`,
    issuedAt,
    requestId: `${groups['requestId']}`,
  }
  return writeMessage(message) === text ? message : undefined
}
