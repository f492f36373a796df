import { PlayerNfts } from '../../clients/typescript/src/client.ts'
import type * as types from '../../clients/typescript/src/types.ts'
import { accountOf, signText, type Wallet } from './wallet.ts'

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
  /** The wallet that has signed. */
  wallet: Wallet
}

/** What a message is for, without anything to sign in (D97). */
type Purpose = Pick<types.CreateSignInMessageParams, 'link' | 'move' | 'consent' | 'remove'>

/** Lets a wallet sign the message for a purpose. Rejects with a WalletError or an error of the client. */
export async function proofOf(
  wallet: Wallet,
  address: string,
  client: PlayerNfts,
  purpose?: Purpose,
): Promise<types.WalletConsent> {
  const asked = { address, chain: signInChain(), ...purpose }
  const { message } = await client.createSignInMessage(asked)
  return { message, signature: await signText(wallet, address, message) }
}

/** The chain that messages name. Any that the deployment opens will do: a wallet is the same on all of them. */
const signInChain = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="sign-in-chain"]')?.content ?? ''

/** Signs in with the account of a wallet. `client`: without a session. Rejects as above. */
export async function signInWith(wallet: Wallet, client: PlayerNfts): Promise<SignedIn> {
  const proof = await proofOf(wallet, await accountOf(wallet), client)
  return { ...(await client.signIn(proof)), wallet }
}

/** What the parts of the view of a user need. */
export interface AccountProps {
  signedIn: SignedIn
  client: PlayerNfts
  onChange: (signedIn: SignedIn) => void
}

/** Whether a user has not chosen a name: the service then writes the short form of an address (D98). */
export const isUnnamed = (username: string): boolean => /^0x[\da-f]{4}…[\da-f]{4}$/i.test(username)
