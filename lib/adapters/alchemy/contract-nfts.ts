import { maxNftsPerCall } from '../../domain/indexer-limits.ts'
import type { Indexer } from '../../domain/ports/indexer.ts'
import { parseTokenId } from '../../domain/token-id.ts'
import { type Ask, checkCount, nftApi, splitIfTooLarge } from './indexer-call.ts'
import { malformedResponse } from './malformed-response.ts'
import { pageProgressAfter } from './page-progress.ts'

type Query = Parameters<Indexer['contractNfts']>[0]
type ContractPage = Awaited<ReturnType<Indexer['contractNfts']>>

/** Reads one page of the token identifiers of a contract, in smaller parts if the response is too large (D59). */
export const readContractNfts = (query: Query, ask: Ask): Promise<ContractPage> =>
  splitIfTooLarge(
    query.limit,
    () => readPage(query, ask),
    (fewer) => readContractNfts({ ...query, limit: fewer }, ask),
  )

async function readPage(query: Query, ask: Ask): Promise<ContractPage> {
  const { contract, pageKey, progress, limit, deadline } = query
  checkCount('NFTs', limit, maxNftsPerCall)
  // Without metadata, the indexer does not wait for the source of any document.
  const answer = await ask(contract.chain, deadline, (endpoint) =>
    nftApi(endpoint).getNftsForContract(contract.address, {
      omitMetadata: true,
      pageSize: limit,
      ...(pageKey !== undefined && { pageKey }),
    }),
  )
  if (answer.nfts.length > limit) throw malformedResponse('more NFTs than asked for')
  if (pageKey !== undefined && answer.pageKey === pageKey) {
    throw malformedResponse('the page key that was asked with')
  }
  const tokenIds = answer.nfts.map(({ tokenId: text }) => {
    const tokenId = parseTokenId(text)
    if (tokenId === undefined) throw malformedResponse('a token identifier that is none')
    return tokenId
  })
  if (new Set(tokenIds).size < tokenIds.length) throw malformedResponse('an NFT twice')
  if (answer.pageKey === undefined) return { tokenIds }
  const returned = { returned: tokenIds.length, pageKey: answer.pageKey }
  return { tokenIds, pageKey: answer.pageKey, progress: pageProgressAfter(progress, returned) }
}
