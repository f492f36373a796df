import type { SignInNonces } from '../ports/sign-in.ts'
import { type Purpose, requestIdOf } from './purpose.ts'
import { messageLifetimeMilliseconds, type SignInMessage, writeMessage } from './sign-in-message.ts'

/** What a message is asked for. */
export type AskedMessage = Pick<SignInMessage, 'domain' | 'address' | 'chainId' | 'statement'> & {
  purpose: Purpose
}

/**
 * The message that a wallet is to sign (ERC-4361, D97), and the moment from which it is of no use, in milliseconds since 1970.
 * Writes nothing. `now`: milliseconds since 1970.
 */
export async function newMessage(
  { purpose, ...asked }: AskedMessage,
  now: number,
  nonces: SignInNonces,
): Promise<{ message: string; expiresAt: number }> {
  const said = { ...asked, issuedAt: now, requestId: requestIdOf(purpose) }
  const message = writeMessage({ ...said, nonce: await nonces.nonceFor(said) })
  return { message, expiresAt: now + messageLifetimeMilliseconds }
}
