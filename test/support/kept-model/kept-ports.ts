import type { KeepingPorts } from '../../../lib/domain/holdings/known-contracts.ts'
import { type ContractKey, compareContracts } from '../../../lib/domain/nft/nft.ts'
import type { OwnedNft } from '../../../lib/domain/nft/owned-nft.ts'

/**
 * Ports of which some contracts are kept, with holdings that are as the indexer lists them. `position.confirmedUpTo`: the time of the
 * confirmed block, in milliseconds since 1970.
 */
export function keptPorts(
  contracts: readonly ContractKey[],
  holdings: readonly OwnedNft[],
  confirmedUpTo: number,
  maxDescribed = Number.POSITIVE_INFINITY,
): KeepingPorts {
  const id = 'snapshot'
  const isKept = (key: ContractKey) => contracts.some((each) => compareContracts(each, key) === 0)
  return {
    keptChains: [...new Set(contracts.map(({ chain }) => chain))],
    keptContracts: Number.POSITIVE_INFINITY,
    keptHoldings: {
      position: async () => ({ step: 2, confirmedUpTo, readBy: Date.now() }),
      contracts: async (chain, addresses) =>
        addresses
          .filter((address) => isKept({ chain, address }))
          .map((address) => ({
            readAt: Date.now(),
            value: {
              ...{ address, events: [], readUpTo: 10 },
              snapshot: { id, standard: 'ERC1155', step: 1, since: 5, at: Date.now() },
            },
          })),
      lists: async (chain, wallet, snapshots) =>
        new Map(
          [...(await snapshots).keys()].flatMap((address) => {
            const its = holdings.filter(
              (each) => each.chain === chain && each.owner === wallet && each.address === address,
            )
            const tokens = new Map(its.map(({ tokenId, balance }) => [tokenId, BigInt(balance)]))
            return its.length > 0 ? [[address, { settledUpTo: 5, tokens }] as const] : []
          }),
        ),
    },
    texts: {
      lookUp: async () => new Map(),
      describe: async (nfts) =>
        nfts.slice(0, maxDescribed).map(() => ({ metadataLink: '', metadata: { text: '{}' } })),
    },
    notedReads: { note: () => undefined },
    keepFetched: () => undefined,
  }
}
