import { dynamoDeviceGrants } from '../../lib/adapters/dynamodb/device-grants.ts'
import { dynamoForgottenPlayers } from '../../lib/adapters/dynamodb/forgotten-players.ts'
import { dynamoPlayerTokenCounts } from '../../lib/adapters/dynamodb/player-token-counts.ts'
import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { dynamoRefreshFamilies } from '../../lib/adapters/dynamodb/refresh-families.ts'
import { dynamoSessions } from '../../lib/adapters/dynamodb/sessions.ts'
import { dynamoSignInUse, type SignInLimits } from '../../lib/adapters/dynamodb/sign-in-use.ts'
import type { Table } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoUsedNonces } from '../../lib/adapters/dynamodb/used-nonces.ts'
import { dynamoUserIds } from '../../lib/adapters/dynamodb/user-ids.ts'
import { dynamoWalletLists } from '../../lib/adapters/dynamodb/wallet-lists.ts'
import { dynamoWalletOwners } from '../../lib/adapters/dynamodb/wallet-owners.ts'
import { hmacRefreshTokens } from '../../lib/adapters/hmac/refresh-tokens.ts'
import { hmacSignInNonces } from '../../lib/adapters/hmac/sign-in-nonces.ts'
import { nobleWalletSignatures } from '../../lib/adapters/noble/wallet-signatures.ts'
import { playerTokenLimit } from '../../lib/settings/limits.ts'
import { signInSettings } from '../../lib/settings/sign-in.ts'

/** What a deployment in which players sign in with wallets knows beside its settings. */
export interface SignInDeployment {
  /** The secret of sign-in alone (D97, D99). */
  secret: string
  limits: SignInLimits
}

/** The deployment of a function. No limit is set yet. */
export const signInDeployment = (): SignInDeployment => ({ ...signInSettings(), limits: {} })

/** The ports that accept proofs of wallets, and know who has which wallets (D97, D98). */
export const walletPorts = (table: Table, { secret, limits }: SignInDeployment) => ({
  nonces: hmacSignInNonces(async () => secret),
  usedNonces: dynamoUsedNonces(table),
  signatures: nobleWalletSignatures,
  signInUse: dynamoSignInUse(table, limits),
  userIds: dynamoUserIds(table),
  walletOwners: dynamoWalletOwners(table),
  walletLists: dynamoWalletLists(table),
  sessions: dynamoSessions(table),
  families: dynamoRefreshFamilies(table),
  forgottenPlayers: dynamoForgottenPlayers(table),
})

/** The ports that give games access, all but the one that mints (D99, D101, D103). */
export const accessPorts = (table: Table, { secret }: SignInDeployment) => ({
  refreshTokens: hmacRefreshTokens(async () => secret),
  families: dynamoRefreshFamilies(table),
  walletLists: dynamoWalletLists(table),
  deviceGrants: dynamoDeviceGrants(table),
  playerTokenCounts: dynamoPlayerTokenCounts(table, playerTokenLimit()),
  productAccess: dynamoProductAccess(table),
})
