import type { Address } from '../nft/address.ts'
import { maxWallets } from '../player/player.ts'
import type { ForgottenPlayers } from '../ports/forgotten-players.ts'
import {
  type Arrival,
  acceptProof,
  type Expectation,
  type Proof,
  type ProofFault,
  type ProofPorts,
} from './proof.ts'
import { type RemovalPorts, removeWallet } from './sign-out.ts'
import type { WalletRefusal } from './wallet-refusal.ts'
import { linkWallet } from './wallet-users.ts'

export interface AddWalletPorts extends Omit<ProofPorts, 'walletOwners'>, RemovalPorts {
  forgottenPlayers: ForgottenPlayers
}

/**
 * Adds a wallet that proves itself to a user who is signed in (D104). If the message says so, the wallet moves from the user who
 * has it; a user who has no other wallet ends as forgotten (D48). After a crash, a new proof completes it. Throws
 * RateLimited.
 */
export async function addWallet(
  userId: number,
  proof: Proof,
  expectation: Omit<Expectation, 'purposes'>,
  arrival: Arrival,
  ports: AddWalletPorts,
): Promise<ProofFault | WalletRefusal | undefined> {
  const purposes = [
    { kind: 'link', userId },
    { kind: 'move', userId },
  ] as const
  const proven = await acceptProof(proof, { ...expectation, purposes }, arrival, ports)
  if (proven.fault) return proven.fault
  const { address, purpose } = proven
  const at = Math.floor(arrival.now / 1_000)
  const { wallets } = await ports.walletLists.get(userId)
  if (wallets.length >= maxWallets && !wallets.includes(address)) return 'too_many_wallets'
  if (purpose.kind === 'move') await release(address, userId, at, ports)
  return await linkWallet(userId, address, at, ports)
}

/** Takes a wallet from the user who has it, if that is not `taker`. */
async function release(
  address: Address,
  taker: number,
  at: number,
  ports: AddWalletPorts,
): Promise<void> {
  const { walletOwners, walletLists, forgottenPlayers } = ports
  const { userId, isJoining } = await walletOwners.get(address)
  if (userId === undefined || userId === taker || isJoining) return
  const list = await walletLists.get(userId)
  if (list.wallets.some((wallet) => wallet !== address)) {
    await removeWallet(userId, address, at, ports)
    return
  }
  // The user is stored, so the username stays.
  const isEmpty = list.wallets.length === 0
  const isLast = isEmpty || (await walletLists.replace(userId, list, [], { username: '', at }))
  // The user can have got another wallet meanwhile, and stays then.
  if (isLast) await forgottenPlayers.forgetWithoutWallets(userId)
}
