import type { Address } from '../nft/address.ts'
import type { SignInMessage } from '../sign-in/sign-in-message.ts'

/** The nonces of the messages that this deployment writes (D97). To give one out writes nothing. */
export interface SignInNonces {
  /** A new nonce for a message. It is of use in this message only. */
  nonceFor(message: Omit<SignInMessage, 'nonce'>): Promise<string>
  /** Whether this deployment has given out the nonce of a message for exactly this message. */
  isOf(message: SignInMessage): Promise<boolean>
}

/** The signatures of wallets. */
export interface WalletSignatures {
  /**
   * The address whose key has signed a text (EIP-191). `signature`: `0x` and 130 hex digits, or 128 (ERC-2098).
   * `undefined` if it is not the signature of any key.
   */
  signerOf(text: string, signature: string): Address | undefined
}
