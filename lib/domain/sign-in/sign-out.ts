import type { Address } from '../nft/address.ts'
import type { RefreshFamilies } from '../ports/refresh-families.ts'
import type { Sessions, WalletLists } from '../ports/sign-in.ts'
import type { WalletRefusal } from './refusals.ts'
import { unlinkWallet, type WalletUserPorts } from './wallet-users.ts'

/** What a user or a wallet has begun. */
interface BegunPorts {
  sessions: Pick<Sessions, 'endAll'>
  families: Pick<RefreshFamilies, 'ofUser' | 'end'>
}

export interface SignOutPorts extends BegunPorts {
  walletLists: Pick<WalletLists, 'signOut'>
}

export interface RemovalPorts extends BegunPorts, WalletUserPorts {}

/**
 * Signs a user out everywhere: no session and no refresh token of before is valid after the first write (D102). Safe to repeat.
 * `now`: milliseconds since 1970.
 */
export async function signOut(userId: number, now: number, ports: SignOutPorts): Promise<void> {
  await ports.walletLists.signOut(userId, now)
  await endAll(userId, ports)
}

/**
 * Takes a wallet from a user as `unlinkWallet` does, and ends what the wallet has begun. Safe to repeat: what a crash has left is
 * ended too. `at`: seconds since 1970.
 */
export async function removeWallet(
  userId: number,
  wallet: Address,
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
  wallet?: Address,
): Promise<void> {
  const begun = await families.ofUser(userId)
  const ended = begun.filter((family) => wallet === undefined || family.wallet === wallet)
  await Promise.all([
    sessions.endAll(userId, wallet),
    ...ended.map(({ familyId }) => families.end(userId, familyId)),
  ])
}
