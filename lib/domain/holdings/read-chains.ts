import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import { addressesOn, type Wallet } from '../nft/wallet.ts'
import type { KeptHoldings, KeptPosition } from '../ports/kept-contracts.ts'
import type { KnownContract } from './known-contracts.ts'
import { type HeldAnswer, type HoldingsQuery, readHoldings } from './read-holdings.ts'

export type BegunPositions = ReadonlyMap<Chain, Promise<KeptPosition | undefined>>

interface ChainsQuery extends Omit<HoldingsQuery, 'chain' | 'wallets' | 'contracts' | 'position'> {
  wallets: readonly Wallet[]
  contracts: readonly ContractKey[]
  positions?: BegunPositions | undefined
}

/** What wallets hold of contracts, by chain, and what is known of all of these contracts. Throws ServiceUnavailable. */
export async function readChains(
  { contracts, wallets, positions, ...query }: ChainsQuery,
  keptHoldings: KeptHoldings,
): Promise<{ answers: ReadonlyMap<Chain, HeldAnswer>; known: Promise<KnownContract[]> }> {
  const byChain = [...Map.groupBy(contracts, ({ chain }) => chain)]
  const read = byChain.map(async ([chain, its]) => {
    const addresses = its.map(({ address }) => address)
    const position = positions?.get(chain)
    const owners = addressesOn(chain, wallets)
    const ofChain = { ...query, chain, wallets: owners, contracts: addresses, position }
    return [chain, await readHoldings(ofChain, keptHoldings)] as const
  })
  const answers = new Map(await Promise.all(read))
  const known = byChain.map(async ([chain, its]): Promise<KnownContract[]> => {
    const ofChain = await answers.get(chain)?.known
    // Nobody knows that a contract is unknown that could not be read.
    return ofChain ? its.map((contract) => ({ contract, item: ofChain.get(contract.address) })) : []
  })
  return { answers, known: Promise.all(known).then((each) => each.flat()) }
}
