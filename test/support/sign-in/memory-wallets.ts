import { isDeepStrictEqual } from 'node:util'
import { RateLimited } from '../../../lib/domain/failures.ts'
import type { Wallet } from '../../../lib/domain/nft/wallet.ts'
import type { ForgottenPlayers, PlayerTokenCounts } from '../../../lib/domain/ports/players.ts'
import type { WalletList, WalletOwner } from '../../../lib/domain/ports/sign-in.ts'
import type { WalletUserPorts } from '../../../lib/domain/sign-in/wallet-users.ts'
import type { Tap } from '../memory/memory-ports.ts'
import { tapped } from './tapped.ts'

/** A username as the service gives it. */
const unnamed = '0x0000…0000'

/** Wallets and their users in memory. */
export type MemoryWallets = ReturnType<typeof emptyWallets>

export const emptyWallets = () => ({
  owners: new Map<Wallet, WalletOwner>(),
  lists: new Map<number, WalletList>(),
  userIds: new Map<string, number>(),
  /** The player tokens that each user can still get; absent: any number. */
  tokensLeft: new Map<number, number>(),
  usernames: new Map<number, string>(),
  forgotten: new Set<number>(),
})

/** Users in memory with the wallets of their lists. */
export const usersWith = (wallets: Record<number, readonly Wallet[]>): MemoryWallets => ({
  ...emptyWallets(),
  lists: new Map(
    Object.entries(wallets).map(([userId, list]) => [
      Number(userId),
      { wallets: list, addedAt: list.map(() => 0), version: '1' },
    ]),
  ),
})

/** The ports of sign-in with wallets: each call takes effect at one moment, between two taps. */
export function walletPorts(
  { owners, lists, userIds, tokensLeft, usernames, forgotten }: MemoryWallets,
  tap?: Tap,
) {
  const ownerOf = (wallet: Wallet) => owners.get(wallet) ?? { generation: 0 }
  const listOf = (userId: number): WalletList =>
    lists.get(userId) ?? { wallets: [], addedAt: [], version: '' }
  const write = (userId: number, { version }: WalletList, wallets: readonly Wallet[]) => {
    const list = listOf(userId)
    if (list.version !== version || forgotten.has(userId)) return false
    lists.set(userId, { ...list, wallets, version: `${version}+` })
    return true
  }
  const forget = (userId: number) => {
    forgotten.add(userId)
    return lists.delete(userId)
  }
  const playerTokenCounts: PlayerTokenCounts = {
    async count(userId) {
      const left = tokensLeft.get(userId) ?? Number.POSITIVE_INFINITY
      if (left === 0) throw new RateLimited({ name: 'player_tokens', count: 1 }, 60)
      tokensLeft.set(userId, left - 1)
    },
  }
  const forgottenPlayers: ForgottenPlayers = {
    forget: async (userId) => forget(userId),
    forgetWithoutWallets: async (userId) => listOf(userId).wallets.length === 0 && forget(userId),
  }
  const ids: WalletUserPorts['userIds'] = {
    async idOf({ issuer, subject }) {
      const key = JSON.stringify([issuer, subject])
      const userId = userIds.get(key) ?? userIds.size + 1
      userIds.set(key, userId)
      return userId
    },
    knownIdOf: async ({ issuer, subject }) => userIds.get(JSON.stringify([issuer, subject])),
  }
  const walletOwners: WalletUserPorts['walletOwners'] = {
    get: async (wallet) => ownerOf(wallet),
    async replace(wallet, before, after) {
      if (!isDeepStrictEqual(ownerOf(wallet), before)) return false
      owners.set(wallet, after)
      return true
    },
  }
  const walletLists: WalletUserPorts['walletLists'] = {
    get: async (userId) => ({
      ...listOf(userId),
      ...(lists.has(userId) && { username: usernames.get(userId) ?? unnamed }),
    }),
    replace: async (userId, before, wallets) => write(userId, before, wallets),
    fence: async (userId, before) => forgotten.has(userId) || write(userId, before, before.wallets),
    async rename(userId, username) {
      if (lists.has(userId)) usernames.set(userId, username)
    },
    async signOut(userId, now) {
      const list = lists.get(userId)
      if (list && now >= (list.signedOutAt ?? 0)) lists.set(userId, { ...list, signedOutAt: now })
    },
  }
  return {
    playerTokenCounts: tapped(playerTokenCounts, tap),
    forgottenPlayers: tapped(forgottenPlayers, tap),
    userIds: tapped(ids, tap),
    walletOwners: tapped(walletOwners, tap),
    walletLists: tapped(walletLists, tap, 'list '),
  }
}
