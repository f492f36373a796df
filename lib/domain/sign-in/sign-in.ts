import type { ProofFault } from './failures.ts'
import {
  type Arrival,
  acceptProof,
  type Expectation,
  type Proof,
  type ProofPorts,
} from './proof.ts'
import { isUnnamed, type Session } from './session.ts'
import { isSignedIn } from './signed-in.ts'
import { userOfWallet, type WalletUserPorts } from './wallet-users.ts'

/**
 * Signs in the user of a wallet, who begins as somebody new if nobody has it (D98): what a session or a family of refresh tokens
 * begins with, or why the proof is refused. A message from before the latest sign-out of the user has expired. `username`: the
 * name that the user has from now on; a game gives one only to a user who has none yet. Throws RateLimited.
 */
export async function signIn(
  proof: Proof,
  expectation: Expectation,
  { username, ...arrival }: Arrival & { username?: string | undefined },
  ports: ProofPorts & WalletUserPorts,
): Promise<(Session & { fault?: undefined }) | { fault: ProofFault }> {
  const proven = await acceptProof(proof, expectation, arrival, ports)
  if (proven.fault) return proven
  const { wallet, issuedAt: beganAt, purpose } = proven
  const userId = await userOfWallet(wallet, Math.floor(arrival.now / 1_000), ports)
  const session = { userId, wallet, beganAt }
  const list = await ports.walletLists.get(userId)
  if (!isSignedIn(session, list)) return { fault: 'message_expired' }
  const mayName = purpose.kind === 'page' || isUnnamed(list.username ?? '')
  if (username !== undefined && mayName) await ports.walletLists.rename(userId, username)
  return session
}
