import { PlayerNfts } from '../../clients/typescript/src/client.ts'
import type * as types from '../../clients/typescript/src/types.ts'
import { anySigner, type Signer } from './signer.ts'
import { signText, type Wallet } from './wallet.ts'

/**
 * A client for the operations of the page (D111, D112), with a session or, to sign in, without one. `onSessionEnd` is called when
 * the service no longer accepts the session.
 */
export const pageClient = (
  session?: string,
  onSessionEnd: () => void = () => undefined,
): PlayerNfts =>
  new PlayerNfts({
    baseUrl: location.origin,
    session,
    // A message counts once, so that a second request could only be refused.
    maxRetries: 0,
    onAttempt({ code }) {
      if (code === 'invalid_session') onSessionEnd()
    },
  })

/** A user who is signed in, for as long as the page is open: the session is nowhere else (D114). */
export interface SignedIn extends types.SignedIn {
  wallet: Wallet
}

/** What a message is for, without anything to sign in (D97). */
type Purpose = Omit<types.CreateSignInMessageParams, 'address' | 'chain' | 'productId' | 'domain'>

/** Lets an account sign the message for a purpose. Rejects with a WalletError or an error of the client. */
export async function proofOf(
  { wallet, address, chain }: Signer,
  client: PlayerNfts,
  purpose?: Purpose,
): Promise<types.WalletConsent> {
  const { message } = await client.createSignInMessage({ address, chain, ...purpose })
  return { message, signature: await signText(wallet, address, message) }
}

/** Signs in with the account of a wallet, which `onSigner` is called with first. `client`: without a session. Rejects as above. */
export async function signInWith(
  wallet: Wallet,
  client: PlayerNfts,
  onSigner: (signer: Signer) => void,
): Promise<SignedIn> {
  const signer = await anySigner(wallet)
  onSigner(signer)
  return { ...(await client.signIn(await proofOf(signer, client))), wallet }
}

/** What the parts of the view of a user need. */
export interface AccountProps {
  signedIn: SignedIn
  client: PlayerNfts
  onChange: (signedIn: SignedIn) => void
}

/** Whether a user has not chosen a name: the service then writes the short form of an address (D98). */
export const isUnnamed = (username: string): boolean => /^0x[\da-f]{4}…[\da-f]{4}$/i.test(username)
