import { nodeSmartAccounts } from '../../lib/adapters/accounts/smart-accounts.ts'
import { dynamoDeviceGrants } from '../../lib/adapters/dynamodb/device-grants.ts'
import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { dynamoRefreshFamilies } from '../../lib/adapters/dynamodb/refresh-families.ts'
import { dynamoSessions } from '../../lib/adapters/dynamodb/sessions.ts'
import { dynamoSignInUse } from '../../lib/adapters/dynamodb/sign-in-use.ts'
import type { Table } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoUsedNonces } from '../../lib/adapters/dynamodb/used-nonces.ts'
import { dynamoUserIds } from '../../lib/adapters/dynamodb/user-ids.ts'
import { dynamoWalletLists } from '../../lib/adapters/dynamodb/wallet-lists.ts'
import { dynamoWalletOwners } from '../../lib/adapters/dynamodb/wallet-owners.ts'
import { hmacSignInNonces } from '../../lib/adapters/hmac/sign-in-texts.ts'
import { nobleWalletSignatures } from '../../lib/adapters/noble/wallet-signatures.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
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

/** The ports that identify the users of sessions (D100, D102). */
export const sessionPorts = (table: Table) => ({
  sessions: dynamoSessions(table),
  walletLists: dynamoWalletLists(table),
  playerDigest: playerDigests(playerDigestSettings().key),
})

/** The network that sends a request (D54). */
export const arrivalPorts = () => ({ sourceAddressOf: sourceAddresses(edgeSettings().secrets) })

/**
 * The ports of the operations that take proofs of wallets (D97), know who has which wallets (D98), and end what the wallets have begun
 * (D102). `expectation`: what every proof on the page must be (D111), on the chains that the deployment opens (D56).
 */
export function pagePorts(table: Table) {
  const { secret } = signInSettings()
  return {
    ...sessionPorts(table),
    ...arrivalPorts(),
    nonces: hmacSignInNonces(secret),
    usedNonces: dynamoUsedNonces(table),
    signatures: nobleWalletSignatures,
    signInUse: dynamoSignInUse(table, { ...proofLimits(), ...contractCheckLimits() }),
    accounts: smartAccountSettings().isOn ? nodeSmartAccounts(secretsIndexerKey()) : undefined,
    userIds: dynamoUserIds(table),
    walletOwners: dynamoWalletOwners(table),
    families: dynamoRefreshFamilies(table),
    expectation: {
      domains: [pageSettings().page],
      chainIds: allowlistSettings().openChains.map((chain) => chains[chain].chainId),
    },
  }
}

/** The ports of the operations that take the code of a device (D108). */
export const deviceRequestPorts = (table: Table) => ({
  ...sessionPorts(table),
  ...arrivalPorts(),
  deviceGrants: dynamoDeviceGrants(table),
  productAccess: dynamoProductAccess(table),
  signInUse: dynamoSignInUse(table, deviceGuessLimits()),
  ...signInRuleSettings(),
})
