import type { TokenId } from '../../domain/allowlist/token-id.ts'
import { type DescribedNft, unknownNft } from '../../domain/nft/owned-nft.ts'
import { type Indexer, maxContractsPerCall, maxNftsPerCall } from '../../domain/ports/indexer.ts'
import type { IndexerKey } from '../indexer-key.ts'
import { type Ask, askingWith, countingFailures, type IndexerPlace } from './asking.ts'
import { readContractNfts, readNftsFrom } from './contract-nfts.ts'
import { describedNfts, ownedNfts, statedBlock } from './indexed-nfts.ts'
import { checkCount, loadSdk, nftApi, sourceTimeoutMs, splitIfTooLarge } from './indexer-call.ts'
import { malformedResponse } from './malformed-response.ts'
import { addUnseen, checkNextKey, progressAfter } from './page-progress.ts'
import { installTransport } from './sdk-transport.ts'
import { tokenBalance } from './token-balance.ts'

type Query<Method extends keyof Indexer> = Parameters<Indexer[Method]>[0]
type NftPage = Awaited<ReturnType<Indexer['ownedNfts']>>

/**
 * The indexer is Alchemy, called with alchemy-sdk over a transport of this project. Every call ends by
 * its deadline and within 8 s. Anything but a complete, well-formed response is an IndexerUnavailable
 * that contains neither the key nor the URL (D30). A response that is too large is read in parts. When
 * the indexer refuses the key, the key is read again once. A call with no contracts, with more than the
 * indexer's limits, or for a chain that the indexer does not cover (D56) throws a RangeError.
 */
export function alchemyIndexer(indexerKey: IndexerKey, place?: IndexerPlace): Indexer {
  installTransport()
  const ask = askingWith(indexerKey, place)
  let isPrepared = false
  return {
    prepare() {
      if (isPrepared) return
      isPrepared = true
      indexerKey().catch(() => undefined)
      // After the requests of this moment are sent, because the code of the SDK takes milliseconds to load.
      setImmediate(loadSdk)
    },
    ownedNfts: (query) => countingFailures(readOwnedNfts(query, ask)),
    metadata: (query) => countingFailures(readMetadata(query, ask)),
    contractNfts: (query) => countingFailures(readContractNfts(query, ask)),
    nftsFrom: (query) => countingFailures(readNftsFrom(query, ask)),
    balance: (query) => countingFailures(readBalance(query, ask)),
  }
}

const readOwnedNfts = (
  query: Query<'ownedNfts'>,
  ask: Ask,
  pageSize = maxNftsPerCall,
): Promise<NftPage> =>
  splitIfTooLarge(
    pageSize,
    () => readPage(query, ask, pageSize),
    (fewer) => readOwnedNfts(query, ask, fewer),
  )

async function readPage(query: Query<'ownedNfts'>, ask: Ask, pageSize: number): Promise<NftPage> {
  const { chain, owner, contracts, pageKey, progress, seen = new Set(), deadline } = query
  checkCount('contracts', contracts.length, maxContractsPerCall)
  const answer = await ask(chain, deadline, (endpoint) =>
    nftApi(endpoint).getNftsForOwner(owner, {
      contractAddresses: [...contracts],
      pageSize,
      tokenUriTimeoutInMs: sourceTimeoutMs(endpoint),
      ...(pageKey !== undefined && { pageKey }),
    }),
  )
  if (answer.ownedNfts.length > pageSize) throw malformedResponse('more NFTs than asked for')
  checkNextKey(pageKey, answer.pageKey)
  const nfts = ownedNfts(answer.ownedNfts, { chain, owner, contracts })
  addUnseen(nfts, seen)
  const returned = { ...answer, returned: answer.ownedNfts.length, pageKey: answer.pageKey }
  const after = progressAfter(progress, returned)
  const block = statedBlock(answer.validAt)
  const page = { nfts, ...(block && { block }) }
  if (answer.pageKey === undefined) return page
  return { ...page, pageKey: answer.pageKey, progress: after }
}

const readMetadata = (query: Query<'metadata'>, ask: Ask): Promise<DescribedNft[]> =>
  splitIfTooLarge(
    query.tokenIds.length,
    () => readBatch(query, ask),
    (fewer) => readParts(query, ask, fewer),
  )

async function readParts(
  query: Query<'metadata'>,
  ask: Ask,
  size: number,
): Promise<DescribedNft[]> {
  const parts: Promise<DescribedNft[]>[] = []
  for (let start = 0; start < query.tokenIds.length; start += size) {
    const tokenIds = query.tokenIds.slice(start, start + size)
    const part = readMetadata({ ...query, tokenIds }, ask)
    parts.push(part)
    // Ten parts in parallel fit into memory. A part that consists of single NFTs reads them in sequence.
    if (size === 1) await part
  }
  return (await Promise.all(parts)).flat()
}

async function readBatch(query: Query<'metadata'>, ask: Ask): Promise<DescribedNft[]> {
  const { contract, tokenIds, fromSource, deadline } = query
  const { chain, address } = contract
  if (tokenIds.length === 0) return []
  checkCount('NFTs', tokenIds.length, maxNftsPerCall)
  const tokens = tokenIds.map((tokenId) => ({ contractAddress: address, tokenId }))
  const { nfts } = await ask(chain, deadline, (endpoint) =>
    nftApi(endpoint).getNftMetadataBatch(tokens, {
      refreshCache: fromSource,
      tokenUriTimeoutInMs: sourceTimeoutMs(endpoint),
    }),
  )
  if (nfts.length > tokenIds.length) throw malformedResponse('more NFTs than asked for')
  const described = describedNfts(nfts, { chain, contracts: [address] })
  const known = new Map<TokenId, DescribedNft>(described.map((nft) => [nft.tokenId, nft]))
  if (known.size < described.length) throw malformedResponse('an NFT twice')
  const requested = new Set(tokenIds)
  if (described.some(({ tokenId }) => !requested.has(tokenId))) {
    throw malformedResponse('an NFT that was not asked for')
  }
  return tokenIds.map((tokenId) => known.get(tokenId) ?? unknownNft(contract, tokenId))
}

const readBalance = ({ token, owner, deadline }: Query<'balance'>, ask: Ask): Promise<bigint> =>
  ask(token.chain, deadline, ({ jsonRpc, timeoutMs }) =>
    tokenBalance(jsonRpc, { contract: token.address, owner }, timeoutMs),
  )
