import { parseUserId } from '../player/player.ts'
import { type ProductId, parseProductId } from '../product/product.ts'
import { statementCharacters } from './sign-in-message.ts'

/**
 * What a signature is for: to sign in on the page of the deployment or for a product or, with the session of a user, to add
 * the wallet or to move it from another user (D97).
 */
export type Purpose =
  | { kind: 'page' }
  | { kind: 'product'; productId: ProductId }
  | { kind: 'link'; userId: number }
  | { kind: 'move'; userId: number }

/** The Request ID of a purpose (ERC-4361). No other purpose has it. */
export function requestIdOf(purpose: Purpose): string {
  switch (purpose.kind) {
    case 'page':
      return 'page'
    case 'product':
      return `product:${purpose.productId}`
    default:
      return `${purpose.kind}:${purpose.userId}`
  }
}

/** The purpose of a Request ID; `undefined` for a text that no purpose has. */
export function purposeOf(requestId: string): Purpose | undefined {
  if (requestId === 'page') return { kind: 'page' }
  const [, kind, of = ''] = /^(product|link|move):(.+)$/.exec(requestId) ?? []
  if (kind === 'product') {
    const productId = parseProductId(of)
    return productId === of ? { kind, productId } : undefined
  }
  const userId = parseUserId(of)
  return (kind === 'link' || kind === 'move') && userId !== undefined ? { kind, userId } : undefined
}

/** What the statements name: the product, or the users by their usernames. */
export interface StatementNames {
  page: Record<never, string>
  product: { product: string }
  link: { username: string }
  move: { from: string; to: string }
}

/** What a wallet shows to the player before it signs, by the kind of the purpose. A name is a text of a stranger. */
export const statements: {
  [Kind in Purpose['kind']]: (names: StatementNames[Kind]) => string
} = {
  page: () => 'Sign in with this wallet.',
  product: ({ product }) => `Sign in to ${inStatement(product, 'a game')}.`,
  link: ({ username }) => `Add this wallet to ${inStatement(username, 'another name')}.`,
  move: ({ from, to }) =>
    `Move this wallet from ${inStatement(from, 'one name')} to ${inStatement(to, 'another name')}.`,
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
