import type { PageService, Proof, Purpose, User } from './service.ts'
import { accountOf, signText, type Wallet } from './wallet.ts'

/** A user who is signed in, for as long as the page is open: the session is nowhere else (D114). */
export interface SignedIn {
  session: string
  user: User
  /** The wallet that has signed. */
  wallet: Wallet
}

/** Lets a wallet sign the message for a purpose. Rejects with a WalletError or an error of the service. */
export async function proofOf(
  wallet: Wallet,
  address: string,
  service: PageService,
  purpose?: Purpose,
): Promise<Proof> {
  const message = await service.message(address, purpose)
  return { message, signature: await signText(wallet, address, message) }
}

/** Signs in with the account of a wallet. `service`: without a session. Rejects as above. */
export async function signInWith(wallet: Wallet, service: PageService): Promise<SignedIn> {
  const proof = await proofOf(wallet, await accountOf(wallet), service)
  return { ...(await service.signIn(proof)), wallet }
}

/** What the parts of the view of a user need. */
export interface AccountProps {
  signedIn: SignedIn
  service: PageService
  onChange: (signedIn: SignedIn) => void
}

/** Whether a user has not chosen a name: the service then writes the short form of an address (D98). */
export const isUnnamed = (username: string): boolean => /^0x[\da-f]{4}…[\da-f]{4}$/i.test(username)
