import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { KeptHoldings, KeptPosition } from '../ports/kept-holdings.ts'
import type { Deadline } from '../time-budget.ts'
import type { KnownContract } from './known-contracts.ts'
import { type HeldAnswer, readHoldings } from './read-holdings.ts'

/** The reads of positions that have begun. */
export type BegunPositions = ReadonlyMap<Chain, Promise<KeptPosition | undefined>>

/** What wallets hold of contracts, by chain, and what is known of all of these contracts. Throws ServiceUnavailable. */
export async function readChains(
  {
    wallets,
    contracts,
    positions,
    maxAgeSeconds,
    deadline,
    isNeeded,
  }: {
    wallets: readonly Address[]
    contracts: readonly ContractKey[]
    positions?: BegunPositions | undefined
    maxAgeSeconds: number
    deadline: Deadline
    isNeeded: boolean
  },
  keptHoldings: KeptHoldings,
): Promise<{ answers: ReadonlyMap<Chain, HeldAnswer>; known: Promise<KnownContract[]> }> {
  const byChain = [...Map.groupBy(contracts, ({ chain }) => chain)]
  const read = byChain.map(async ([chain, its]) => {
    const addresses = its.map(({ address }) => address)
    const position = positions?.get(chain)
    const query = {
      ...{ chain, wallets, contracts: addresses, position },
      ...{ maxAgeSeconds, deadline, isNeeded },
    }
    return [chain, await readHoldings(query, keptHoldings)] as const
  })
  const answers = new Map(await Promise.all(read))
  const known = byChain.map(async ([chain, its]): Promise<KnownContract[]> => {
    const ofChain = await answers.get(chain)?.known
    // Nobody knows that a contract is unknown that could not be read.
    return ofChain ? its.map((contract) => ({ contract, item: ofChain.get(contract.address) })) : []
  })
  return { answers, known: Promise.all(known).then((each) => each.flat()) }
}
