import { type Address, checksumAddress, parseAddress } from '../nft/address.ts'
import { parseUserId } from '../player/player.ts'
import { type ProductId, parseProductId } from '../product/product.ts'
import { statementCharacters } from './sign-in-message.ts'

/**
 * What a signature is for: to sign in on the page of the deployment or for a product or, with the session of a user, to add
 * the wallet, to move it from another user, to consent to another wallet, or to remove a wallet (D97, D109, D144).
 */
export type Purpose =
  | { kind: 'page' }
  | { kind: 'product'; productId: ProductId }
  | { kind: 'link'; userId: number }
  | { kind: 'move'; userId: number }
  | { kind: 'consent'; userId: number; wallet: Address }
  | { kind: 'remove'; userId: number; wallet: Address }

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

/** The purpose of a Request ID; `undefined` for a text that no purpose has. */
export function purposeOf(requestId: string): Purpose | undefined {
  if (requestId === 'page') return { kind: 'page' }
  const [, kind, of = '', address = ''] =
    /^(product|link|move|consent|remove):([^:]+)(?::(0x[0-9a-f]{40}))?$/.exec(requestId) ?? []
  if (kind === 'product') {
    const productId = parseProductId(of)
    return productId === of && !address ? { kind, productId } : undefined
  }
  const userId = parseUserId(of)
  if (userId === undefined) return undefined
  const { address: wallet } = parseAddress(address)
  if (kind === 'consent' || kind === 'remove') return wallet && { kind, userId, wallet }
  return (kind === 'link' || kind === 'move') && !wallet ? { kind, userId } : undefined
}

/** What the statements name: the product, or the user who is signed in. */
export interface StatementNames {
  page: Record<never, string>
  product: { product: string }
  link: { username: string }
  move: { username: string }
  consent: { wallet: Address; username: string }
  remove: { wallet: Address; username: string }
}

/** What a wallet shows to the player before it signs, by the kind of the purpose. A name is a text of a stranger. */
export const statements: {
  [Kind in Purpose['kind']]: (names: StatementNames[Kind]) => string
} = {
  page: () => 'Sign in with this wallet.',
  product: ({ product }) => `Sign in to ${inStatement(product, 'a game')}.`,
  link: ({ username }) => `Add this wallet to ${inStatement(username, 'another name')}.`,
  // Not the name of the user who has it: nobody has proved yet to have the wallet.
  move: ({ username }) =>
    `Move this wallet from the user who has it to ${inStatement(username, 'another name')}.`,
  consent: ({ wallet, username }) =>
    `Add the wallet ${checksumAddress(wallet)} to ${inStatement(username, 'another name')}. Whoever has it can then sign in as this player.`,
  remove: ({ wallet, username }) =>
    `Remove the wallet ${checksumAddress(wallet)} from ${inStatement(username, 'another name')}.`,
}

/** The most characters of a name in a statement: wallets show little of a long text. */
const maxName = 60

const others = new RegExp(`[^${statementCharacters}]+`, 'g')

/**
 * A name with the characters that a statement can have. `otherwise`: what stands for a name without a Latin letter or a
 * digit.
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
