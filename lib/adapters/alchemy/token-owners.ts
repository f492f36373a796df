import { OwnersNotListed, type TokenOwners } from '../../domain/ports/indexer.ts'
import { ownersPageMilliseconds } from '../../domain/time-budget.ts'
import type { IndexerKey } from '../indexer-key.ts'
import { type Ask, askingWith, countingFailures, type IndexerPlace } from './asking.ts'
import { computeUnits } from './compute-units.ts'
import { FailedExchange } from './http-exchange.ts'
import { statedBlock } from './indexed-nfts.ts'
import { nftApi } from './indexer-call.ts'
import { indexerRequest } from './indexer-request.ts'
import { ownersPage } from './owners-page.ts'
import { checkNextKey } from './page-progress.ts'
import { installTransport, withQuery } from './sdk-transport.ts'

/**
 * The owners of contracts by Alchemy's getOwnersForContract, with the failures of the indexer (D30). A page is not asked for
 * again after its answer has begun.
 */
export function alchemyTokenOwners(indexerKey: IndexerKey, place?: IndexerPlace): TokenOwners {
  installTransport()
  const ask = askingWith(indexerKey, place)
  const askForPage = askingWith(indexerKey, place, ownersPageMilliseconds)
  return {
    statedBlock: (contract, deadline) =>
      countingFailures(unlessRefused(readBlock(contract, deadline, ask))),
    page(query, take) {
      const page = readPage(query, take, askForPage)
      // What is refused of a page key is not the contract.
      return countingFailures(query.pageKey === undefined ? unlessRefused(page) : page)
    },
  }
}

/** The statuses of an indexer that does not list what it is asked for, whatever the key and the time are. */
const refusals: readonly (number | undefined)[] = [400, 404, 405, 410, 422, 501]

/** The result of a call. Throws OwnersNotListed if the indexer refuses it. */
async function unlessRefused<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof FailedExchange && refusals.includes(error.status))) throw error
    throw new OwnersNotListed(error.reason)
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

/** The largest page of owners, of which one entry is held at a time: what no page has, but an answer without an end. */
const maxOwnersBytes = 1_024 * 1_048_576

/** Not by the SDK, which takes an answer as a whole. */
async function readPage(
  { contract, pageKey, deadline }: Parameters<TokenOwners['page']>[0],
  take: Parameters<TokenOwners['page']>[1],
  ask: Ask,
): Promise<string | undefined> {
  const { chain, address: contractAddress } = contract
  const query = { contractAddress, withTokenBalances: true, pageKey }
  const next = await ask(chain, deadline, async ({ nft, timeoutMs }) => {
    const page = ownersPage(take)
    const request = {
      method: 'GET',
      url: withQuery(`${nft}/getOwnersForContract`, query),
      headers: { accept: 'application/json', 'accept-encoding': 'gzip' },
      maxBodyBytes: maxOwnersBytes,
      units: computeUnits.getOwnersForContract,
      // No attempt is made after one whose answer has begun, so the page has the chunks of one answer.
      takeChunk: page.write,
    }
    await indexerRequest(request, timeoutMs)
    return page.end()
  })
  checkNextKey(pageKey, next)
  return next
}
