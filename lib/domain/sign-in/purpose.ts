import { checksumAddress } from '../nft/address.ts'
import { chainNameOf } from '../nft/chain.ts'
import { addressOf, chainIdOf, type Wallet } from '../nft/wallet.ts'
import type { SignInNonces } from '../ports/sign-in.ts'
import type { ProductId } from '../product/product.ts'
import {
  messageLifetimeMilliseconds,
  type SignInMessage,
  statementCharacters,
  writeMessage,
} from './sign-in-message.ts'

/**
 * What a signature is for: to sign in on the page of the deployment or for a product or, with the session of a user, to add
 * the wallet, to move it from another user, to consent to another wallet, or to remove a wallet (D97, D109, D144).
 */
export type Purpose =
  | { kind: 'page' }
  | { kind: 'product'; productId: ProductId }
  | { kind: 'link'; userId: number }
  | { kind: 'move'; userId: number }
  | { kind: 'consent'; userId: number; wallet: Wallet }
  | { kind: 'remove'; userId: number; wallet: Wallet }

/** The Request ID of a purpose (ERC-4361). No other purpose has it. */
export function requestIdOf(purpose: Purpose): string {
  switch (purpose.kind) {
    case 'page':
      return 'page'
    case 'product':
      return `product:${purpose.productId}`
    case 'consent':
    case 'remove':
      return `${purpose.kind}:${purpose.userId}:${purpose.wallet}`
    default:
      return `${purpose.kind}:${purpose.userId}`
  }
}

/** What a wallet shows to the player before it signs, by the kind of the purpose. A name is a text of a stranger. */
export const statements = {
  page: () => 'Sign in with this wallet.',
  product: (product: string) => `Sign in to ${inStatement(product, 'a game')}.`,
  link: (username: string) => `Add this wallet to ${inStatement(username, 'another name')}.`,
  // Not the name of the user who has it: nobody has proved yet to have the wallet.
  move: (username: string) =>
    `Move this wallet from the user who has it to ${inStatement(username, 'another name')}.`,
  consent: (wallet: Wallet, username: string) =>
    `Add the wallet ${shown(wallet)} to ${inStatement(username, 'another name')}. Whoever has it can then sign in as this player.`,
  remove: (wallet: Wallet, username: string) =>
    `Remove the wallet ${shown(wallet)} from ${inStatement(username, 'another name')}.`,
} satisfies Record<Purpose['kind'], unknown>

/** A wallet as players know it: `0x1234…`, or `0x1234… on BASE`. */
function shown(wallet: Wallet): string {
  const chainId = chainIdOf(wallet)
  const address = checksumAddress(addressOf(wallet))
  return chainId === undefined ? address : `${address} on ${chainNameOf(chainId)}`
}

/** The most characters of a name in a statement: wallets show little of a long text. */
const maxName = 60

const others = new RegExp(`[^${statementCharacters}]+`, 'g')

/**
 * A name with the characters that a statement can have. `otherwise`: in place of one without a Latin letter or digit.
 */
function inStatement(name: string, otherwise: string): string {
  const text = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(others, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, maxName)
    .trim()
  return /[A-Za-z0-9]/.test(text) ? text : otherwise
}

export type RequestedMessage = Pick<
  SignInMessage,
  'domain' | 'address' | 'chainId' | 'statement'
> & {
  purpose: Purpose
}

/**
 * The message for a wallet to sign (ERC-4361, D97), and until when it counts. Both times are in milliseconds since
 * 1970. Writes nothing.
 */
export async function newMessage(
  { purpose, ...requested }: RequestedMessage,
  now: number,
  nonces: SignInNonces,
): Promise<{ message: string; expiresAt: number }> {
  const fields = { ...requested, issuedAt: now, requestId: requestIdOf(purpose) }
  const message = writeMessage({ ...fields, nonce: await nonces.nonceFor(fields) })
  return { message, expiresAt: now + messageLifetimeMilliseconds }
}
