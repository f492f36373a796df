import type { TokenOwners } from '../../domain/ports/token-owners.ts'
import { indexerSettings } from '../../settings/indexer.ts'
import type { IndexerKey } from '../indexer-key.ts'
import { statedBlock } from './indexed-nfts.ts'
import { type Ask, askingWith, countingFailures, nftApi } from './indexer-call.ts'
import { malformedResponse } from './malformed-response.ts'
import { givingTo } from './owners-page.ts'
import { installTransport } from './sdk-transport.ts'

/**
 * The owners of contracts by Alchemy's getOwnersForContract, called with alchemy-sdk over the transport of this project. As with every
 * call of the indexer, anything but a complete, well-formed response is an IndexerUnavailable that contains neither the key nor the
 * URL (D30). A page is not asked for again after its answer has begun.
 */
export function alchemyTokenOwners(
  indexerKey: IndexerKey,
  { baseUrl }: { baseUrl?: string | undefined } = indexerSettings(),
): TokenOwners {
  installTransport()
  const ask = askingWith(indexerKey, baseUrl)
  return {
    statedBlock: (contract, deadline) => countingFailures(readBlock(contract, deadline, ask)),
    page: (query, take) => countingFailures(readPage(query, take, ask)),
  }
}

/** A page of owners states no block, so a page of NFTs is asked for. */
async function readBlock(
  { chain, address }: Parameters<TokenOwners['statedBlock']>[0],
  deadline: number,
  ask: Ask,
): ReturnType<TokenOwners['statedBlock']> {
  // The API requires a wallet. The contract itself is an address that exists, and usually has none of its own NFTs.
  const { validAt } = await ask(chain, deadline, (endpoint) =>
    nftApi(endpoint).getNftsForOwner(address, {
      contractAddresses: [address],
      pageSize: 1,
      // The indexer fetches no document for it.
      tokenUriTimeoutInMs: 0,
    }),
  )
  return statedBlock(validAt)
}

async function readPage(
  { contract, pageKey, deadline }: Parameters<TokenOwners['page']>[0],
  take: Parameters<TokenOwners['page']>[1],
  ask: Ask,
): Promise<string | undefined> {
  const { pageKey: next } = await ask(contract.chain, deadline, (endpoint) =>
    nftApi(endpoint).getOwnersForContract(contract.address, {
      withTokenBalances: true,
      ...(pageKey !== undefined && { pageKey }),
      ...givingTo(take),
    }),
  )
  if (pageKey !== undefined && next === pageKey) {
    throw malformedResponse('the page key that was asked with')
  }
  return next
}
