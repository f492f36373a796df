import {
  compareTokenIds,
  largestTokenId,
  parseTokenId,
  type TokenId,
  tokenIdOf,
} from '../../domain/allowlist/token-id.ts'
import { type Indexer, maxNftsPerCall } from '../../domain/ports/indexer.ts'
import type { Ask } from './asking.ts'
import { checkCount, nftApi, splitIfTooLarge } from './indexer-call.ts'
import { malformedResponse } from './malformed-response.ts'
import { checkNextKey, pageProgressAfter } from './page-progress.ts'

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
  checkNextKey(pageKey, answer.pageKey)
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

/**
 * Reads one page of the token identifiers of a contract from an identifier on (D60). The documentation of
 * getNFTsForContract calls its page key an offset in the order of token identifiers that callers can choose.
 * Throws an IndexerUnavailable for a page that is not in this order.
 */
export async function readNftsFrom(
  { contract, from, deadline }: Parameters<Indexer['nftsFrom']>[0],
  ask: Ask,
): Promise<Awaited<ReturnType<Indexer['nftsFrom']>>> {
  const pageKey = `0x${BigInt(from).toString(16).padStart(64, '0')}`
  const query = { contract, limit: maxNftsPerCall, deadline, ...(from !== '0' && { pageKey }) }
  const { tokenIds, pageKey: nextKey } = await readContractNfts(query, ask)
  const isInOrder = tokenIds.every(
    (tokenId, index) => compareTokenIds(tokenIds[index - 1] ?? from, tokenId) <= 0,
  )
  if (!isInOrder) throw malformedResponse('NFTs that are not in the order of their identifiers')
  if (nextKey === undefined) return { tokenIds }
  return { tokenIds, next: followingId(tokenIds.at(-1), from, nextKey) }
}

/** The identifier after the last NFT of a page; of a page without NFTs, its page key, which must come after `from`. */
function followingId(last: TokenId | undefined, from: TokenId, nextKey: string): TokenId {
  if (last === undefined) {
    const next = parseTokenId(nextKey)
    if (next !== undefined && compareTokenIds(from, next) < 0) return next
    throw malformedResponse('an empty page whose page key does not continue')
  }
  const next = BigInt(last) + 1n
  if (next > largestTokenId) throw malformedResponse('a page after the largest token identifier')
  return tokenIdOf(next)
}
