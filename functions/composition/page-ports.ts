import type { Table } from '../../lib/adapters/dynamodb/table.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
import type { Expectation } from '../../lib/domain/sign-in/proof.ts'
import { sourceAddresses } from '../../lib/http/source-address.ts'
import { allowlistSettings } from '../../lib/settings/indexer.ts'
import { edgeSettings } from '../../lib/settings/resources.ts'
import { pageSettings } from '../../lib/settings/sign-in.ts'
import { sessionPorts } from './session-ports.ts'
import { signInDeployment, walletPorts } from './sign-in-ports.ts'

/** The chains on which wallets can sign in, by their ids: those that the deployment opens (D56). */
export const openChainIds = (): number[] =>
  allowlistSettings().openChains.map((chain) => chains[chain].chainId)

/** What every proof on the page must be (D111). */
export const pageExpectation = (): Omit<Expectation, 'purposes'> => ({
  domains: [pageSettings().page],
  chainIds: openChainIds(),
})

/** The ports of the operations that take a session and a proof. */
export const pagePorts = (table: Table) => ({
  ...walletPorts(table, signInDeployment()),
  ...sessionPorts(table),
  sourceAddressOf: sourceAddresses(edgeSettings().secrets),
})
