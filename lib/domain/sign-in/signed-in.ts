import type { Sessions, WalletList, WalletLists } from '../ports/sign-in.ts'
import type { Session } from './session.ts'

/** The ports that identify the user of a session (D100, D102). */
export interface SessionPorts {
  sessions: Sessions
  walletLists: Pick<WalletLists, 'get'>
}

/**
 * Whether a session or a family is still valid (D102): its user has the wallet, was not forgotten, and has not signed
 * out since.
 */
export function isSignedIn(
  { wallet, beganAt }: Pick<Session, 'wallet' | 'beganAt'>,
  { wallets, signedOutAt = Number.NEGATIVE_INFINITY }: WalletList,
): boolean {
  return wallets.includes(wallet) && beganAt > signedOutAt
}

/** The session of a text; `undefined` if there is none that is valid. `now`: milliseconds since 1970. */
export async function validSession(
  text: string,
  now: number,
  { sessions, walletLists }: SessionPorts,
): Promise<Session | undefined> {
  const session = await sessions.get(text, now)
  return session && isSignedIn(session, await walletLists.get(session.userId)) ? session : undefined
}
