import { isDeepStrictEqual } from 'node:util'
import { RateLimited } from '../../../lib/domain/failures.ts'
import type { Wallet } from '../../../lib/domain/nft/wallet.ts'
import type { ForgottenPlayers, PlayerTokenCounts } from '../../../lib/domain/ports/players.ts'
import type { WalletList, WalletOwner } from '../../../lib/domain/ports/sign-in.ts'
import type { WalletUserPorts } from '../../../lib/domain/sign-in/wallet-users.ts'
import type { Tap } from '../memory/memory-ports.ts'
import { tappedBy } from './tapped.ts'

/** Wallets and their users in memory. */
export interface MemoryWallets {
  owners: Map<Wallet, WalletOwner>
  lists: Map<number, WalletList>
  userIds: Map<string, number>
  /** The player tokens that each user can still get; absent: any number. */
  tokensLeft: Map<number, number>
  usernames: Map<number, string>
  forgotten: Set<number>
}

/** A username as the service gives it. */
const unnamed = '0x0000…0000'

export const emptyWallets = (): MemoryWallets => ({
  owners: new Map(),
  lists: new Map(),
  userIds: new Map(),
  tokensLeft: new Map(),
  usernames: new Map(),
  forgotten: new Set(),
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

interface MemoryWalletPorts extends WalletUserPorts {
  playerTokenCounts: PlayerTokenCounts
  forgottenPlayers: ForgottenPlayers
}

/** The ports of sign-in with wallets: each call takes effect at one moment, between two taps. */
export function walletPorts(
  { owners, lists, userIds, tokensLeft, usernames, forgotten }: MemoryWallets,
  tap: Tap = () => undefined,
): MemoryWalletPorts {
  const tapped = tappedBy(tap)
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
  return {
    playerTokenCounts: {
      count: (userId) =>
        tapped('count', () => {
          const left = tokensLeft.get(userId) ?? Number.POSITIVE_INFINITY
          if (left === 0) throw new RateLimited({ name: 'player_tokens', count: 1 }, 60)
          tokensLeft.set(userId, left - 1)
        }),
    },
    forgottenPlayers: {
      forget: (userId) => tapped('forget', () => forget(userId)),
      forgetWithoutWallets: (userId) =>
        tapped('forget', () => listOf(userId).wallets.length === 0 && forget(userId)),
    },
    userIds: {
      idOf: ({ issuer, subject }) =>
        tapped('idOf', () => {
          const key = JSON.stringify([issuer, subject])
          const userId = userIds.get(key) ?? userIds.size + 1
          userIds.set(key, userId)
          return userId
        }),
      knownIdOf: ({ issuer, subject }) =>
        tapped('idOf', () => userIds.get(JSON.stringify([issuer, subject]))),
    },
    walletOwners: {
      get: (wallet) => tapped('owner', () => ownerOf(wallet)),
      replace: (wallet, before, after) =>
        tapped('replace owner', () => {
          if (!isDeepStrictEqual(ownerOf(wallet), before)) return false
          owners.set(wallet, after)
          return true
        }),
    },
    walletLists: {
      get: (userId) =>
        tapped('list', () => ({
          ...listOf(userId),
          ...(lists.has(userId) && { username: usernames.get(userId) ?? unnamed }),
        })),
      replace: (userId, before, wallets) =>
        tapped('replace list', () => write(userId, before, wallets)),
      fence: (userId, before) =>
        tapped('fence', () => forgotten.has(userId) || write(userId, before, before.wallets)),
      rename: (userId, username) =>
        tapped('rename', () => {
          if (lists.has(userId)) usernames.set(userId, username)
        }),
      signOut: (userId, now) =>
        tapped('sign out', () => {
          const list = lists.get(userId)
          if (list && now >= (list.signedOutAt ?? 0))
            lists.set(userId, { ...list, signedOutAt: now })
        }),
    },
  }
}
