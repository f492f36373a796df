import type { Address } from '../nft/address.ts'
import {
  type Arrival,
  acceptProof,
  type Expectation,
  type Proof,
  type ProofFault,
  type ProofPorts,
} from './proof.ts'
import type { WalletRefusal } from './refusals.ts'
import { type RemovalPorts, removeWallet } from './sign-out.ts'

/**
 * Removes a wallet of a user who is signed in and proves that it is the owner: with this wallet, or with one that the user had
 * before it. So whoever steals a wallet that was added later cannot remove the older ones (D109). Throws RateLimited.
 */
export async function removeWalletWithProof(
  userId: number,
  wallet: Address,
  proof: Proof,
  expectation: Omit<Expectation, 'purposes'>,
  arrival: Arrival,
  ports: Omit<ProofPorts, 'walletOwners'> & RemovalPorts,
): Promise<ProofFault | WalletRefusal | undefined> {
  const purposes = [{ kind: 'remove', userId, wallet }] as const
  const proven = await acceptProof(proof, { ...expectation, purposes }, arrival, ports)
  if (proven.fault) return proven.fault
  const { wallets } = await ports.walletLists.get(userId)
  // A wallet that a crash has taken from the list is removed whole by a repeat.
  const older = wallets.includes(wallet) ? wallets.slice(0, wallets.indexOf(wallet)) : wallets
  if (![...older, wallet].includes(proven.address)) return 'proof_of_newer_wallet'
  return await removeWallet(userId, wallet, Math.floor(arrival.now / 1_000), ports)
}
