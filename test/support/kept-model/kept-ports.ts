import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { KeepingPorts } from '../../../lib/domain/holdings/kept-part.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
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
    keptHoldings: {
      position: async () => ({ step: 2, confirmedUpTo, readBy: Date.now() }),
      contracts: async (chain, addresses) =>
        addresses
          .filter((address) => isKept({ chain, address }))
          .map((address) => ({
            readAt: Date.now(),
            value: {
              ...{ address, events: [], readUpTo: 10 },
              snapshot: { id, standard: 'ERC1155', step: 1, since: 5 },
            },
          })),
      lists: async (chain, wallet, addresses) =>
        new Map(
          addresses.map((address) => {
            const its = holdings.filter(
              (each) => each.chain === chain && each.owner === wallet && each.address === address,
            )
            return [address, listsOf(id, its)]
          }),
        ),
    },
    describe: async (nfts) =>
      nfts.slice(0, maxDescribed).map((nft) => ({
        ...{ chain: nft.chain, address: nft.address, tokenId: nft.tokenId },
        metadataLink: '',
        metadata: { text: '{}' },
      })),
  }
}

function listsOf(
  id: string,
  held: readonly { tokenId: TokenId; balance: string; owner: Address }[],
) {
  const tokens = new Map(held.map(({ tokenId, balance }) => [tokenId, BigInt(balance)]))
  return held.length > 0 ? new Map([[id, { settledUpTo: 5, tokens }]]) : new Map()
}
