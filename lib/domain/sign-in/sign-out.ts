import type { Wallet } from '../nft/wallet.ts'
import type { SignInPorts } from '../ports/sign-in.ts'
import type { ProofFault, WalletRefusal } from './failures.ts'
import {
  type Arrival,
  acceptProof,
  type Expectation,
  type Proof,
  type ProofPorts,
} from './proof.ts'
import { unlinkWallet, type WalletUserPorts } from './wallet-users.ts'

type BegunPorts = Pick<SignInPorts, 'sessions' | 'families'>

export type RemovalPorts = BegunPorts & WalletUserPorts

/**
 * Ends all sessions and refresh tokens of a user from the first write on (D102). Safe to repeat. `now`: milliseconds
 * since 1970.
 */
export async function signOut(
  userId: number,
  now: number,
  ports: BegunPorts & Pick<SignInPorts, 'walletLists'>,
): Promise<void> {
  await ports.walletLists.signOut(userId, now)
  await endAll(userId, ports)
}

/**
 * Takes a wallet from a user as `unlinkWallet` does, and ends what it has begun. Safe to repeat. `at`: seconds since
 * 1970.
 */
export async function removeWallet(
  userId: number,
  wallet: Wallet,
  at: number,
  ports: RemovalPorts,
): Promise<WalletRefusal | undefined> {
  const refusal = await unlinkWallet(userId, wallet, at, ports)
  if (!refusal || refusal === 'no_such_wallet') await endAll(userId, ports, wallet)
  return refusal
}

/** Deletes the sessions and families of a user or, with `wallet`, those that it has begun. */
async function endAll(
  userId: number,
  { sessions, families }: BegunPorts,
  wallet?: Wallet,
): Promise<void> {
  const begun = await families.ofUser(userId)
  const ended = begun.filter((family) => wallet === undefined || family.wallet === wallet)
  await Promise.all([
    sessions.endAll(userId, wallet),
    ...ended.map(({ familyId }) => families.end(userId, familyId)),
  ])
}

/**
 * Removes a wallet of a user who is signed in and proves that it is the owner: with this wallet, or with one that the user had
 * before it. So whoever steals a wallet that was added later cannot remove the older ones (D109). Throws RateLimited.
 */
export async function removeWalletWithProof(
  userId: number,
  wallet: Wallet,
  proof: Proof,
  expectation: Omit<Expectation, 'purposes'>,
  arrival: Arrival,
  ports: ProofPorts & RemovalPorts,
): Promise<ProofFault | WalletRefusal | undefined> {
  const purposes = [{ kind: 'remove', userId, wallet }] as const
  const proven = await acceptProof(proof, { ...expectation, purposes }, arrival, ports)
  if (proven.fault) return proven.fault
  const { wallets } = await ports.walletLists.get(userId)
  // A wallet that a crash has taken from the list is removed whole by a repeat.
  const older = wallets.includes(wallet) ? wallets.slice(0, wallets.indexOf(wallet)) : wallets
  if (![...older, wallet].includes(proven.wallet)) return 'proof_of_newer_wallet'
  return await removeWallet(userId, wallet, Math.floor(arrival.now / 1_000), ports)
}
