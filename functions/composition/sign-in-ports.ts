import { nodeSmartAccounts } from '../../lib/adapters/accounts/smart-accounts.ts'
import { dynamoDeviceGrants } from '../../lib/adapters/dynamodb/device-grants.ts'
import { dynamoPlayerTokenCounts } from '../../lib/adapters/dynamodb/player-token-counts.ts'
import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { dynamoRefreshFamilies } from '../../lib/adapters/dynamodb/refresh-families.ts'
import { dynamoSessions } from '../../lib/adapters/dynamodb/sessions.ts'
import { dynamoSignInUse } from '../../lib/adapters/dynamodb/sign-in-use.ts'
import type { Table } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoUsedNonces } from '../../lib/adapters/dynamodb/used-nonces.ts'
import { dynamoWalletUserIds } from '../../lib/adapters/dynamodb/user-ids.ts'
import { dynamoWalletLists } from '../../lib/adapters/dynamodb/wallet-lists.ts'
import { dynamoWalletOwners } from '../../lib/adapters/dynamodb/wallet-owners.ts'
import { hmacDeviceCodes } from '../../lib/adapters/hmac/device-codes.ts'
import { hmacRefreshTokens } from '../../lib/adapters/hmac/refresh-tokens.ts'
import { hmacSignInNonces } from '../../lib/adapters/hmac/sign-in-nonces.ts'
import { nobleWalletSignatures } from '../../lib/adapters/noble/wallet-signatures.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import type { Limit, SignInLimits } from '../../lib/domain/limit/limit.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
import type { Expectation } from '../../lib/domain/sign-in/proof.ts'
import { sourceAddresses } from '../../lib/http/source-address.ts'
import { playerDigests } from '../../lib/observability/player-digest.ts'
import { allowlistSettings } from '../../lib/settings/indexer.ts'
import { edgeSettings, playerDigestSettings } from '../../lib/settings/resources.ts'
import {
  pageSettings,
  signInRuleSettings,
  signInSettings,
  smartAccountSettings,
} from '../../lib/settings/sign-in.ts'
import {
  contractCheckLimits,
  deviceGuessLimits,
  proofLimits,
} from '../../lib/settings/sign-in-limits.ts'

/** The ports that accept proofs of wallets (D97). `secret`: that of sign-in alone. */
export const proofPorts = (table: Table, deployment: { secret: string; limits: SignInLimits }) => ({
  nonces: hmacSignInNonces(async () => deployment.secret),
  usedNonces: dynamoUsedNonces(table),
  signatures: nobleWalletSignatures,
  signInUse: dynamoSignInUse(table, deployment.limits),
  accounts: smartAccountSettings().isOn ? nodeSmartAccounts(secretsIndexerKey()) : undefined,
})

/** The ports that know who has which wallets (D98), and what the wallets have begun (D102). */
export const walletPorts = (table: Table) => ({
  userIds: dynamoWalletUserIds(table),
  walletOwners: dynamoWalletOwners(table),
  walletLists: dynamoWalletLists(table),
  sessions: dynamoSessions(table),
  families: dynamoRefreshFamilies(table),
})

/** The ports that give games tokens, all but the one that mints (D99, D101, D103). `limit`: of player tokens. */
export const tokenPorts = (
  table: Table,
  deployment: { secret: string; limit: Limit | undefined },
) => ({
  refreshTokens: hmacRefreshTokens(async () => deployment.secret),
  families: dynamoRefreshFamilies(table),
  walletLists: dynamoWalletLists(table),
  deviceCodes: hmacDeviceCodes(async () => deployment.secret),
  deviceGrants: dynamoDeviceGrants(table),
  playerTokenCounts: dynamoPlayerTokenCounts(table, deployment.limit),
  productAccess: dynamoProductAccess(table),
})

/** The ports that identify the users of sessions (D100, D102). */
export const sessionPorts = (table: Table) => ({
  sessions: dynamoSessions(table),
  walletLists: dynamoWalletLists(table),
  playerDigest: playerDigests(playerDigestSettings().key),
})

/** What every proof on the page must be (D111), on the chains that the deployment opens (D56). */
const pageExpectation = (): Omit<Expectation, 'purposes'> => ({
  domains: [pageSettings().page],
  chainIds: allowlistSettings().openChains.map((chain) => chains[chain].chainId),
})

/** The network that sends a request (D54). */
export const arrivalPorts = () => ({ sourceAddressOf: sourceAddresses(edgeSettings().secrets) })

/** The ports of the operations that take proofs on the page. */
export const pagePorts = (table: Table) => ({
  ...walletPorts(table),
  ...proofPorts(table, {
    ...signInSettings(),
    limits: { ...proofLimits(), ...contractCheckLimits() },
  }),
  ...sessionPorts(table),
  ...arrivalPorts(),
  expectation: pageExpectation(),
})

/** The ports of the operations that take the code of a device (D108). */
export const deviceRequestPorts = (table: Table) => ({
  ...sessionPorts(table),
  ...arrivalPorts(),
  deviceGrants: dynamoDeviceGrants(table),
  productAccess: dynamoProductAccess(table),
  signInUse: dynamoSignInUse(table, deviceGuessLimits()),
  ...signInRuleSettings(),
})
