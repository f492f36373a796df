import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { Wallet } from '../nft/wallet.ts'
import type { DeviceDecision, DeviceGrant, StoredGrant } from '../sign-in/device-grant.ts'
import type { SignInRule } from '../sign-in/product-sign-in.ts'
import type { RefreshFamily, RefreshToken } from '../sign-in/refresh-family.ts'
import type { Session } from '../sign-in/session.ts'
import type { SignInMessage } from '../sign-in/sign-in-message.ts'
import type { SignInUse } from './limits.ts'
import type { ForgottenPlayers, PlayerTokenCounts, PlayerTokenMint, UserIds } from './players.ts'
import type { ProductAccess } from './products.ts'

/** Everything that sign-in with wallets needs, of which each function names its part. */
export interface SignInPorts {
  nonces: SignInNonces
  usedNonces: UsedNonces
  signatures: WalletSignatures
  /** Absent where smart accounts do not sign in. */
  accounts?: SmartAccounts | undefined
  signInUse: SignInUse
  walletOwners: WalletOwners
  walletLists: WalletLists
  userIds: UserIds
  forgottenPlayers: ForgottenPlayers
  sessions: Sessions
  families: RefreshFamilies
  refreshTokens: RefreshTokens
  deviceCodes: DeviceCodes
  deviceGrants: DeviceGrants
  productAccess: Pick<ProductAccess, 'get'>
  signInRule: SignInRule
  playerTokenCounts: PlayerTokenCounts
  playerTokenMint: PlayerTokenMint
}

/** The nonces of the messages that this deployment writes (D97). To give one out writes nothing. */
export interface SignInNonces {
  /** A new nonce for a message. It is of use in this message only. */
  nonceFor(message: Omit<SignInMessage, 'nonce'>): Promise<string>
  /** Whether this deployment has given out the nonce of a message for exactly this message. */
  isOf(message: SignInMessage): Promise<boolean>
}

/** The nonces of the proofs that were accepted (D97). */
export interface UsedNonces {
  /** Uses up a nonce for at least 15 minutes from `now` (milliseconds since 1970). False: it was used before. */
  use(nonce: string, now: number): Promise<boolean>
  /** Makes a nonce that this request has used up of use again. */
  release(nonce: string): Promise<void>
}

export interface WalletSignatures {
  /**
   * The address whose key has signed a text (EIP-191). `signature`: `0x` and 130 hex digits, or 128 (ERC-2098).
   * `undefined`: of no key.
   */
  signerOf(text: string, signature: string): Address | undefined
}

/** What an account says of a signature, or that it has no code on the chain. */
export type AccountAnswer = 'accepts' | 'refuses' | 'no_account'

export interface SmartAccounts {
  /**
   * Whether an account accepts a signature of a text on a chain (EIP-191, ERC-1271, ERC-6492), or has no code there. `signature`: `0x`
   * and hex digits of whole bytes. Throws ChainUnavailable if nobody knows.
   */
  judge(
    account: { address: Address; chain: Chain },
    text: string,
    signature: string,
  ): Promise<AccountAnswer>
}

/** Who has a wallet that signs in by itself (D98). It only reserves: the list of the user decides. */
export interface WalletOwner {
  /** How many users have had the wallet before. */
  generation: number
  /** Absent if nobody has it. */
  userId?: number
  /** Whether the user is about to get it, and may never. */
  isJoining?: true
}

export interface WalletOwners {
  /** The owner of a wallet; generation 0 without a user if nobody has ever had it. */
  get(wallet: Wallet): Promise<WalletOwner>
  /** Replaces the owner. Returns false, and changes nothing, if the owner is not `before` any more. */
  replace(wallet: Wallet, before: WalletOwner, after: WalletOwner): Promise<boolean>
}

export interface WalletList {
  /** The name of the user; absent if nobody is stored. */
  username?: string
  /** In the order in which they were added. */
  wallets: readonly Wallet[]
  /** When each of them was added, in seconds since 1970. */
  addedAt: readonly number[]
  /** Another one after each change; `''` before the first. */
  version: string
  /** When the user has signed out everywhere, in milliseconds since 1970; absent if never. */
  signedOutAt?: number
}

export interface WalletLists {
  /** The list of a user; an empty one of version `''` if nobody is stored, or if the user was forgotten. */
  get(userId: number): Promise<WalletList>
  /**
   * Replaces the wallets of a list. If nobody is stored, the user is: `newUser` has the username, and the moment in seconds
   * since 1970, which is that of wallets that are new. Returns false, and changes nothing, if the list is not of this version
   * any more, or if the user was forgotten.
   */
  replace(
    userId: number,
    before: WalletList,
    wallets: readonly Wallet[],
    newUser: { username: string; at: number },
  ): Promise<boolean>
  /**
   * Gives a list another version, so that no change succeeds that began before; nothing is left to do if the user was forgotten.
   * Returns false, and changes nothing, if the list is not of this version any more.
   */
  fence(userId: number, before: WalletList): Promise<boolean>
  /** Gives a user another username. Nothing happens if nobody is stored, or if the user was forgotten. */
  rename(userId: number, username: string): Promise<void>
  /**
   * Notes a sign-out everywhere at `now`, in milliseconds since 1970, unless a later one is noted or nobody is stored.
   */
  signOut(userId: number, now: number): Promise<void>
}

/** The sessions of users on the page of the deployment (D100). */
export interface Sessions {
  /** Begins a session. Returns its text, which has 256 random bits and is stored nowhere. */
  begin(session: Session): Promise<string>
  /** The session of a text; `undefined` if there is none, or if it has ended. `now`: milliseconds since 1970. */
  get(text: string, now: number): Promise<Session | undefined>
  /** Ends all sessions of a user or, with `wallet`, those that it has begun. Safe to repeat. */
  endAll(userId: number, wallet?: Session['wallet']): Promise<void>
}

export interface RefreshTokens {
  /** The text of a token, always the same. */
  write(token: RefreshToken): Promise<string>
  /** The token of a text; `undefined` if this deployment has not written it. */
  read(text: string): Promise<RefreshToken | undefined>
}

/** The families of refresh tokens that are stored (D99). */
export interface RefreshFamilies {
  /** Stores a new family. Safe to repeat: a family that is stored stays as it is. */
  add(family: RefreshFamily): Promise<void>
  get(userId: number, familyId: string): Promise<RefreshFamily | undefined>
  ofUser(userId: number): Promise<readonly RefreshFamily[]>
  /**
   * Raises the counter by one. `now`: milliseconds since 1970. False, without a change: it was raised since, or the
   * family has ended.
   */
  renew(family: RefreshFamily, now: number): Promise<boolean>
  /** Gives a family this wallet and this beginning. Returns false if it has ended. Safe to repeat. */
  redate(
    family: Pick<RefreshFamily, 'userId' | 'familyId' | 'wallet' | 'beganAt'>,
  ): Promise<boolean>
  /** Ends a family. Safe to repeat. */
  end(userId: number, familyId: string): Promise<void>
}

/** The codes of device grants: random, of this deployment. */
export interface DeviceCodes {
  newUserCode(): string
  /** A new device code with a user code in it, and 256 random bits. */
  newDeviceCode(userCode: string): Promise<string>
  /** The user code in a device code; `undefined` if this deployment has not made the device code. */
  userCodeOf(deviceCode: string): Promise<string | undefined>
}

/** The device grants that are stored (RFC 8628, D101). All times are in milliseconds since 1970. */
export interface DeviceGrants {
  /** Stores a grant. Returns false, and changes nothing, if another one that has not expired has the user code. */
  add(grant: DeviceGrant, now: number): Promise<boolean>
  /** The grant of a user code, also one that has expired; `undefined` if there is none. */
  get(userCode: string): Promise<StoredGrant | undefined>
  /** The grant of a device code and the user code in it, also one that has expired; `undefined` if there is none. */
  ofDevice(codes: Pick<DeviceGrant, 'userCode' | 'deviceCode'>): Promise<StoredGrant | undefined>
  /** Notes a poll. Returns false, and changes nothing, if another one was noted since the grant was read. */
  notePoll(grant: StoredGrant, now: number): Promise<boolean>
  /** Stores what a user has decided. Returns false, and changes nothing, if a decision is stored or the grant has expired. */
  decide(userCode: string, decision: DeviceDecision, now: number): Promise<boolean>
  /** Notes that the game has its token. Returns false, and changes nothing, if that was noted before. */
  use(userCode: string, now: number): Promise<boolean>
}
