import type { ChainState, ContractStandards, StateQuery } from '../../domain/ports/chain-events.ts'
import { batchesOf } from '../../domain/some-at-once.ts'
import type { IndexerKey } from '../indexer-key.ts'
import { askingWith, countingFailures, type IndexerPlace } from './asking.ts'
import {
  balanceOf,
  balanceOfBatch,
  type ContractCall,
  ownerOf,
  supportsInterface,
} from './contract-calls.ts'
import { contractAnswers } from './contract-state.ts'

/** The most pairs of a call of `balanceOfBatch`. Each one costs the node a read of the contract's storage. */
const maxPairs = 100

/** The most calls of `balanceOfBatch` in a request: their arguments have 13 KB each. */
const maxBatchCalls = 20

const [erc721, erc1155] = ['80ac58cd', 'd9b67a26']

/**
 * What contracts say, by `eth_call` of the indexer's nodes. A block that is not part of the chain any more is an
 * IndexerUnavailable, as is any answer that is not well formed (D30). The calls of a method are made in sequence, up to
 * 100 in each request.
 */
export function alchemyChainState(
  indexerKey: IndexerKey,
  place?: IndexerPlace,
): ChainState & ContractStandards {
  const ask = askingWith(indexerKey, place)
  const answers = <Answer>(
    query: StateQuery,
    calls: readonly ContractCall<Answer>[],
    perRequest?: number,
  ): Promise<Answer[]> => {
    const block = { blockHash: query.block.hash, requireCanonical: true } as const
    return countingFailures(contractAnswers(query, calls, block, ask, perRequest))
  }
  return {
    ownersOf: ({ tokenIds, ...query }) => answers(query, tokenIds.map(ownerOf)),
    countsOf: ({ wallets, ...query }) => answers(query, wallets.map(balanceOf)),
    async balancesOf({ pairs, ...query }) {
      const calls = batchesOf(pairs, maxPairs).map(balanceOfBatch)
      return (await answers(query, calls, maxBatchCalls)).flat()
    },
    async standardOf(contract, deadline) {
      const calls = [erc721, erc1155].map(supportsInterface)
      const latest = contractAnswers({ contract, deadline }, calls, 'latest', ask)
      const [isErc721, isErc1155] = await countingFailures(latest)
      return isErc721 ? 'ERC721' : isErc1155 ? 'ERC1155' : undefined
    },
  }
}
