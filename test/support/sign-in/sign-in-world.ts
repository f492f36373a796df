import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  hmacDeviceCodes,
  hmacRefreshTokens,
  hmacSignInNonces,
} from '../../../lib/adapters/hmac/sign-in-texts.ts'
import { nobleWalletSignatures } from '../../../lib/adapters/noble/wallet-signatures.ts'
import { RateLimited } from '../../../lib/domain/failures.ts'
import type { Wallet } from '../../../lib/domain/nft/wallet.ts'
import type { SignInPorts, WalletList, WalletOwner } from '../../../lib/domain/ports/sign-in.ts'
import { hasExpired, type StoredGrant } from '../../../lib/domain/sign-in/device-grant.ts'
import type { RefreshFamily } from '../../../lib/domain/sign-in/refresh-family.ts'
import type { Session } from '../../../lib/domain/sign-in/session.ts'
import { storedProduct } from '../memory/http-chain.ts'
import { type Tap, tapPorts } from '../memory/memory-ports.ts'
import { memoryAccounts } from './account.ts'

const secret = 'the secret of sign-in'

export const nonces = hmacSignInNonces(secret)

/** A product that signs players in. */
export const permitting = storedProduct({ product: { ...storedProduct().product, signIn: true } })

/** A username as the service gives it. */
const unnamed = '0x0000…0000'

/** What a deployment has stored of its users. */
export type StoredUsers = ReturnType<typeof storedUsers>

/** Users with these wallets. */
export const storedUsers = (users: Record<number, readonly Wallet[]> = {}) => ({
  owners: new Map<Wallet, WalletOwner>(),
  lists: new Map(
    Object.entries(users).map(([userId, wallets]): [number, WalletList] => [
      Number(userId),
      { wallets, addedAt: wallets.map(() => 0), version: '1' },
    ]),
  ),
  userIds: new Map<string, number>(),
  /** The player tokens that each user can still get; absent: any number. */
  tokensLeft: new Map<number, number>(),
  usernames: new Map<number, string>(),
  forgotten: new Set<number>(),
  families: new Map<string, RefreshFamily>(),
  /** By their user codes. */
  grants: new Map<string, StoredGrant & { deviceCode: string }>(),
  sessions: new Map<string, Session>(),
  /** The wallets whose sessions have ended. */
  ended: [] as unknown[],
  usedNonces: new Set<string>(),
})

/** Users with these wallets, and the ports of sign-in that store them. */
export function signInWorld(users: Record<number, readonly Wallet[]> = {}) {
  const stored = storedUsers(users)
  return { ...stored, ports: (tap?: Tap) => signInPorts(stored, tap) }
}

/** The ports of sign-in in memory: each call of those that store something takes effect at one moment, between two taps. */
export const signInPorts = (stored: StoredUsers, tap: Tap = () => undefined): SignInPorts => ({
  ...tapPorts({ ...userPorts(stored), ...gamePorts(stored) }, tap),
  nonces,
  signatures: nobleWalletSignatures,
  accounts: memoryAccounts,
  signInUse: {
    permit: async () => async () => undefined,
    refuse: async () => undefined,
    checkAccount: async () => async () => undefined,
    askForDevice: async () => undefined,
    guess: async () => undefined,
    guessedRight: async () => undefined,
    guessedWrong: async () => undefined,
  },
  refreshTokens: hmacRefreshTokens(secret),
  deviceCodes: hmacDeviceCodes(secret),
  productAccess: { get: async () => permitting },
  signInRule: { needsOperator: false },
  playerTokenMint: { mint: async () => 'a player token' },
})

/** Who has which wallets. */
function userPorts({ owners, lists, userIds, usernames, forgotten, usedNonces }: StoredUsers) {
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
  const keyOf = (user: { issuer: string; subject: string }) => `${user.issuer} ${user.subject}`
  return {
    usedNonces: {
      use: async (nonce) => !usedNonces.has(nonce) && usedNonces.add(nonce).size > 0,
      release: async (nonce) => void usedNonces.delete(nonce),
    },
    walletOwners: {
      get: async (wallet) => ownerOf(wallet),
      async replace(wallet, before, after) {
        if (!isDeepStrictEqual(ownerOf(wallet), before)) return false
        owners.set(wallet, after)
        return true
      },
    },
    walletLists: {
      get: async (userId) => ({
        ...listOf(userId),
        ...(lists.has(userId) && { username: usernames.get(userId) ?? unnamed }),
      }),
      replace: async (userId, before, wallets) => write(userId, before, wallets),
      fence: async (userId, before) =>
        forgotten.has(userId) || write(userId, before, before.wallets),
      async rename(userId, username) {
        if (lists.has(userId)) usernames.set(userId, username)
      },
      async signOut(userId, now) {
        const list = lists.get(userId)
        if (list && now >= (list.signedOutAt ?? 0)) lists.set(userId, { ...list, signedOutAt: now })
      },
    },
    userIds: {
      async idOf(user) {
        const userId = userIds.get(keyOf(user)) ?? userIds.size + 1
        userIds.set(keyOf(user), userId)
        return userId
      },
      knownIdOf: async (user) => userIds.get(keyOf(user)),
    },
    forgottenPlayers: {
      forget: async (userId) => forget(userId),
      forgetWithoutWallets: async (userId) => listOf(userId).wallets.length === 0 && forget(userId),
    },
  } satisfies Partial<SignInPorts>
}

/** What users have begun. */
function gamePorts({ sessions, ended, families, grants, tokensLeft }: StoredUsers) {
  const keyOf = (userId: number, familyId: string) => `${userId} ${familyId}`
  const seen = (userCode: string): StoredGrant | undefined => {
    const { deviceCode: _, ...grant } = grants.get(userCode) ?? {}
    return 'userCode' in grant ? (grant as StoredGrant) : undefined
  }
  /** Changes a grant if it is as it must be for that. */
  const change = (
    userCode: string,
    isChanged: (grant: StoredGrant) => boolean,
    changes: Partial<StoredGrant>,
  ) => {
    const grant = grants.get(userCode)
    if (!grant || !isChanged(grant)) return false
    grants.set(userCode, { ...grant, ...changes })
    return true
  }
  return {
    sessions: {
      async begin(session) {
        const text = randomUUID()
        sessions.set(text, session)
        return text
      },
      get: async (text) => sessions.get(text),
      async endAll(userId, wallet) {
        ended.push(wallet)
        for (const [text, session] of sessions) {
          const isEnded = wallet === undefined || session.wallet === wallet
          if (session.userId === userId && isEnded) sessions.delete(text)
        }
      },
    },
    families: {
      async add(family) {
        const key = keyOf(family.userId, family.familyId)
        if (!families.has(key)) families.set(key, family)
      },
      get: async (userId, familyId) => families.get(keyOf(userId, familyId)),
      ofUser: async (userId) => [...families.values()].filter((family) => family.userId === userId),
      async renew(family, now) {
        const key = keyOf(family.userId, family.familyId)
        const { counter } = family
        if (families.get(key)?.counter !== counter) return false
        families.set(key, { ...family, counter: counter + 1, renewedAt: now })
        return true
      },
      async redate({ userId, familyId, ...begun }) {
        const key = keyOf(userId, familyId)
        const family = families.get(key)
        if (family) families.set(key, { ...family, ...begun })
        return family !== undefined
      },
      end: async (userId, familyId) => void families.delete(keyOf(userId, familyId)),
    },
    deviceGrants: {
      async add(grant, now) {
        const other = grants.get(grant.userCode)
        if (other && !hasExpired(other, now)) return false
        grants.set(grant.userCode, { ...grant, polledAt: 0 })
        return true
      },
      get: async (userCode) => seen(userCode),
      ofDevice: async ({ userCode, deviceCode }) =>
        grants.get(userCode)?.deviceCode === deviceCode ? seen(userCode) : undefined,
      notePoll: async ({ userCode, polledAt }, now) =>
        change(userCode, (grant) => grant.polledAt === polledAt, { polledAt: now }),
      decide: async (userCode, decision, now) =>
        change(userCode, (grant) => !grant.decision && !hasExpired(grant, now), { decision }),
      use: async (userCode, now) =>
        change(
          userCode,
          ({ decision, usedAt }) => decision?.kind === 'approved' && usedAt === undefined,
          {
            usedAt: now,
          },
        ),
    },
    playerTokenCounts: {
      async count(userId) {
        const left = tokensLeft.get(userId) ?? Number.POSITIVE_INFINITY
        if (left === 0) throw new RateLimited({ name: 'player_tokens', count: 1 }, 60)
        tokensLeft.set(userId, left - 1)
      },
    },
  } satisfies Partial<SignInPorts>
}
