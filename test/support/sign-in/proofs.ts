import type { Account } from '@player-nfts/local/samples/sample-account'
import type { Wallet } from '../../../lib/domain/nft/wallet.ts'
import type { WalletAddition } from '../../../lib/domain/sign-in/add-wallet.ts'
import type { Expectation, Proof } from '../../../lib/domain/sign-in/proof.ts'
import { newMessage, type Purpose } from '../../../lib/domain/sign-in/purpose.ts'
import { nonces } from './sign-in-world.ts'

/** The network from which all proofs of tests come. */
export const network = '192.0.2.1'

/** Where players can sign in. */
export const where: Omit<Expectation, 'purposes'> = { domains: ['nfts.example'], chainIds: [137] }

/** A message of the service for a purpose, signed by a wallet. */
export async function proofOf(account: Account, purpose: Purpose, now: number): Promise<Proof> {
  const fields = { domain: 'nfts.example', chainId: 137, statement: 'Sign in.', purpose }
  const { message } = await newMessage({ ...fields, address: account.address }, now, nonces)
  return { message, signature: account.sign(message) }
}

/** What adds a wallet to a user, or moves it there, with the consent of a wallet that the user has. `wallet`: what it names. */
export async function additionOf(
  account: Account,
  by: Account,
  { kind, userId }: { kind: 'link' | 'move'; userId: number },
  now: number,
  wallet: Wallet = account.address,
): Promise<WalletAddition> {
  const consent = { kind: 'consent', userId, wallet } as const
  return {
    ...(await proofOf(account, { kind, userId }, now)),
    consent: await proofOf(by, consent, now),
  }
}
