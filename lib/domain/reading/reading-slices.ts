import type { Address } from '../nft/address.ts'
import { type Chain, isCovered } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import { maxContractsPerCall } from './indexer-limits.ts'

/** The part of a reading that one indexer call covers: one wallet and at most 45 contracts on one chain. */
export interface Slice<Contract extends ContractKey> {
  chain: Chain
  contracts: readonly Contract[]
  owner: Address
}

/** The contracts whose NFTs the indexer can list, on all or some chains. */
export const readableContracts = <Contract extends ContractKey>(
  contracts: readonly Contract[],
  chains?: readonly Chain[],
): Contract[] =>
  contracts.filter(({ chain }) => isCovered(chain) && (chains?.includes(chain) ?? true))

/** Slices by chain, then by runs of at most 45 contracts by address, then by wallet (D25). */
export function slicesOf<Contract extends ContractKey>(
  contracts: readonly Contract[],
  wallets: readonly Address[],
): Slice<Contract>[] {
  return [...Map.groupBy(contracts, ({ chain }) => chain)].flatMap(([chain, onChain]) =>
    runs(onChain, maxContractsPerCall).flatMap((run) =>
      wallets.map((owner) => ({ chain, contracts: run, owner })),
    ),
  )
}

const runs = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
