import { ServiceUnavailable } from '../failures.ts'
import { addressOf, chainIdOf, type Wallet } from '../nft/wallet.ts'
import { maxWallets } from '../player/player.ts'
import type { SignInPorts, WalletList, WalletOwner } from '../ports/sign-in.ts'
import type { WalletRefusal } from './failures.ts'
import { firstUsername, walletIssuer } from './session.ts'

export type WalletUserPorts = Pick<SignInPorts, 'userIds' | 'walletOwners' | 'walletLists'>

/** How often a change is tried again that other requests cross. */
const attempts = 8

/**
 * The user of a wallet that has proved itself: the one who has it, or else a new one, with a user id as D41 assigns it (D98).
 * `at`: seconds since 1970. Throws ServiceUnavailable.
 */
export async function userOfWallet(
  wallet: Wallet,
  at: number,
  ports: WalletUserPorts,
): Promise<number> {
  return await repeated(async () => {
    const owner = await settled(wallet, at, ports)
    if (!owner) return undefined
    if (owner.userId !== undefined) return owner.userId
    const userId = await ports.userIds.idOf(firstUser(wallet, owner.generation))
    const list = await ports.walletLists.get(userId)
    return (await take(wallet, owner, userId, list, at, ports)) ? userId : undefined
  })
}

/** Adds a wallet that has proved itself to a user. `by`: the wallet that has consented, which the user must still have. Safe to repeat. */
export async function linkWallet(
  userId: number,
  wallet: Wallet,
  at: number,
  ports: WalletUserPorts,
  by?: Wallet,
): Promise<WalletRefusal | undefined> {
  const refusal = await repeated(async () => {
    const owner = await settled(wallet, at, ports)
    if (!owner) return undefined
    if (owner.userId !== undefined)
      return owner.userId === userId ? 'linked' : 'wallet_of_another_user'
    const list = await ports.walletLists.get(userId)
    if (by !== undefined && !list.wallets.includes(by)) return 'consent_of_other_wallet'
    if (list.wallets.length >= maxWallets) return 'too_many_wallets'
    return (await take(wallet, owner, userId, list, at, ports)) ? 'linked' : undefined
  })
  return refusal === 'linked' ? undefined : refusal
}

/** Takes a wallet from a user, but for the last one. The wallet then begins as somebody new. Safe to repeat. */
export async function unlinkWallet(
  userId: number,
  wallet: Wallet,
  at: number,
  ports: WalletUserPorts,
): Promise<WalletRefusal | undefined> {
  const { walletOwners, walletLists } = ports
  const result = await repeated(async () => {
    const owner = await settled(wallet, at, ports)
    if (!owner) return undefined
    if (owner.userId !== userId) return 'no_such_wallet'
    const list = await walletLists.get(userId)
    // Another request has taken it meanwhile.
    if (!list.wallets.includes(wallet)) return undefined
    if (list.wallets.length === 1) return 'last_wallet'
    const wallets = list.wallets.filter((other) => other !== wallet)
    const newUser = { username: firstUsername(wallet), at }
    if (!(await walletLists.replace(userId, list, wallets, newUser))) return undefined
    // The list decides: an owner that stays is taken away by the next request.
    await walletOwners.replace(wallet, owner, { generation: owner.generation + 1 })
    return 'unlinked'
  })
  return result === 'unlinked' ? undefined : result
}

/**
 * The owner of a wallet after everything that a crash has left is completed or taken back: with a user who has the wallet in the
 * list, or without a user. `undefined`: another request has changed something meanwhile.
 */
async function settled(
  wallet: Wallet,
  at: number,
  ports: WalletUserPorts,
): Promise<WalletOwner | undefined> {
  const { walletOwners, walletLists } = ports
  const owner = await walletOwners.get(wallet)
  const { generation, userId, isJoining } = owner
  if (userId === undefined) return owner
  const list = await walletLists.get(userId)
  const isListed = list.wallets.includes(wallet)
  if (isListed && !isJoining) return owner
  if (!isListed && isJoining) {
    if (userId === (await ports.userIds.knownIdOf(firstUser(wallet, generation)))) {
      await join(wallet, { ...owner, userId }, list, at, ports)
      return undefined
    }
    // The change that has reserved it can still be under way, and must fail then.
    if (!(await walletLists.fence(userId, list))) return undefined
  }
  const after = isListed ? { generation, userId } : { generation: generation + 1 }
  return (await walletOwners.replace(wallet, owner, after)) ? after : undefined
}

/** The user who is a wallet's own: always the same for a generation of the wallet. */
const firstUser = (wallet: Wallet, generation: number) => ({
  issuer: walletIssuer,
  subject: `${addressOf(wallet)}/${chainIdOf(wallet) ?? '*'}/${generation}`,
})

/**
 * Reserves a wallet, and adds it to a list that was read before: the write fails if another request drops the
 * reservation.
 */
async function take(
  wallet: Wallet,
  free: WalletOwner,
  userId: number,
  list: WalletList,
  at: number,
  ports: WalletUserPorts,
): Promise<boolean> {
  const joining = { ...free, userId, isJoining: true } as const
  if (!(await ports.walletOwners.replace(wallet, free, joining))) return false
  return await join(wallet, joining, list, at, ports)
}

async function join(
  wallet: Wallet,
  joining: WalletOwner & { userId: number },
  list: WalletList,
  at: number,
  { walletOwners, walletLists }: WalletUserPorts,
): Promise<boolean> {
  const { userId, generation } = joining
  const wallets = [...list.wallets.filter((other) => other !== wallet), wallet]
  const newUser = { username: firstUsername(wallet), at }
  if (!(await walletLists.replace(userId, list, wallets, newUser))) return false
  // The list decides; a mark that stays is taken away by the next request.
  await walletOwners.replace(wallet, joining, { generation, userId })
  return true
}

async function repeated<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (let count = 0; count < attempts; count += 1) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  throw new ServiceUnavailable('the wallets of a user were changed over and over')
}
