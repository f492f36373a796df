import { dynamoDeviceGrants } from '../../lib/adapters/dynamodb/device-grants.ts'
import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { dynamoSignInUse } from '../../lib/adapters/dynamodb/sign-in-use.ts'
import type { Table } from '../../lib/adapters/dynamodb/table.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
import type { Expectation } from '../../lib/domain/sign-in/proof.ts'
import { sourceAddresses } from '../../lib/http/source-address.ts'
import { allowlistSettings } from '../../lib/settings/indexer.ts'
import { edgeSettings } from '../../lib/settings/resources.ts'
import { pageSettings, signInRuleSettings, signInSettings } from '../../lib/settings/sign-in.ts'
import { deviceGuessLimits, proofLimits } from '../../lib/settings/sign-in-limits.ts'
import { sessionPorts } from './session-ports.ts'
import { proofPorts, walletPorts } from './sign-in-ports.ts'

/** What every proof on the page must be (D111), on the chains that the deployment opens (D56). */
export const pageExpectation = (): Omit<Expectation, 'purposes'> => ({
  domains: [pageSettings().page],
  chainIds: allowlistSettings().openChains.map((chain) => chains[chain].chainId),
})

/** The network that sends a request (D54). */
export const arrivalPorts = () => ({ sourceAddressOf: sourceAddresses(edgeSettings().secrets) })

/** The ports of the operations that take proofs on the page. */
export const pagePorts = (table: Table) => ({
  ...walletPorts(table),
  ...proofPorts(table, { ...signInSettings(), limits: proofLimits() }),
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
