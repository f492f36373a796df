import { Alchemy } from 'alchemy-sdk'
import type { ContractKey } from '../../domain/allowlist.ts'
import type { Chain } from '../../domain/chain.ts'
import { IndexerUnavailable } from '../../domain/failures.ts'
import type { IndexedNft } from '../../domain/owned-nft.ts'
import type { Deadline, Indexer } from '../../domain/ports.ts'
import type { TokenId } from '../../domain/token-id.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { indexerSettings } from '../../settings/environment.ts'
import { AnswerTooLarge, FailedExchange } from './http-exchange.ts'
import { indexedNfts, ownedNfts } from './indexed-nfts.ts'
import { malformedAnswer } from './malformed-answer.ts'
import { type IndexerUrls, indexerUrls } from './networks.ts'
import { openDoor } from './sdk-transport.ts'
import { tokenBalance } from './token-balance.ts'

/** What the indexer does not take more of in one call; alchemy-sdk does not look. */
const maxContracts = 45
const maxNfts = 100

/** The longest that one call may take, key and all (D30). */
const maxCallMs = 8_000

/** Reads the indexer's key; `anew`: not from memory, because the indexer has refused it. */
type IndexerKey = (options?: { anew?: boolean }) => Promise<string>

/** Where to ask, and how long an answer may take. */
interface Endpoint extends IndexerUrls {
  timeoutMs: number
}

/** Asks the indexer about a chain, by the time an answer must be there. */
type Ask = <Answer>(
  chain: Chain,
  deadline: Deadline,
  send: (endpoint: Endpoint) => Promise<Answer>,
) => Promise<Answer>

type Query<Method extends keyof Indexer> = Parameters<Indexer[Method]>[0]
type NftPage = Awaited<ReturnType<Indexer['ownedNfts']>>

/**
 * The indexer is Alchemy, asked through alchemy-sdk over a transport of our own. Whatever is not a
 * complete and well-formed answer by the deadline, and within 8 s of a request, is an IndexerUnavailable
 * (D30) that holds neither key nor URL. What is too large to be read at once is read in parts. A key that is refused is read anew, once. Asking for no contract,
 * for more than the indexer takes, or on a retired chain is a RangeError.
 */
export function alchemyIndexer(
  indexerKey: IndexerKey,
  { baseUrl }: { baseUrl?: string | undefined } = indexerSettings(),
): Indexer {
  openDoor()
  const ask: Ask = async (chain, deadline, send) => {
    const until = Math.min(deadline, Date.now() + maxCallMs)
    const attempt = async (options?: { anew: boolean }) => {
      const urls = indexerUrls(chain, await indexerKey(options), baseUrl)
      const timeoutMs = Math.floor(until - Date.now())
      if (timeoutMs <= 0) throw new IndexerUnavailable('no time was left to ask')
      return send({ ...urls, timeoutMs })
    }
    try {
      return await attempt()
    } catch (error) {
      if (!isKeyRefusal(error)) throw error
      return attempt({ anew: true })
    }
  }
  return {
    ownedNfts: (query) => countingFailures(readOwnedNfts(query, ask)),
    metadata: (query) => countingFailures(readMetadata(query, ask)),
    balance: (query) => countingFailures(readBalance(query, ask)),
  }
}

async function countingFailures<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof IndexerUnavailable) downstreamCalls.countFailure('indexer')
    throw error
  }
}

const readOwnedNfts = (query: Query<'ownedNfts'>, ask: Ask, pageSize = maxNfts): Promise<NftPage> =>
  orFewer(
    pageSize,
    () => readPage(query, ask, pageSize),
    (fewer) => readOwnedNfts(query, ask, fewer),
  )

async function readPage(query: Query<'ownedNfts'>, ask: Ask, pageSize: number): Promise<NftPage> {
  const { chain, owner, contracts, pageKey, deadline } = query
  checkCount('contracts', contracts.length, maxContracts)
  const answer = await ask(chain, deadline, (endpoint) =>
    nftApi(endpoint).getNftsForOwner(owner, {
      contractAddresses: [...contracts],
      pageSize,
      tokenUriTimeoutInMs: sourceTimeoutMs(endpoint),
      ...(pageKey !== undefined && { pageKey }),
    }),
  )
  if (answer.ownedNfts.length > pageSize) throw malformedAnswer('more NFTs than asked for')
  if (pageKey !== undefined && answer.pageKey === pageKey) {
    throw malformedAnswer('the page key that was asked with')
  }
  const nfts = ownedNfts(answer.ownedNfts, { chain, owner, contracts })
  return { nfts, ...(answer.pageKey !== undefined && { pageKey: answer.pageKey }) }
}

const readMetadata = (query: Query<'metadata'>, ask: Ask): Promise<IndexedNft[]> =>
  orFewer(
    query.tokenIds.length,
    () => readBatch(query, ask),
    (fewer) => readParts(query, ask, fewer),
  )

async function readParts(query: Query<'metadata'>, ask: Ask, size: number): Promise<IndexedNft[]> {
  const parts: Promise<IndexedNft[]>[] = []
  for (let start = 0; start < query.tokenIds.length; start += size) {
    const tokenIds = query.tokenIds.slice(start, start + size)
    const part = readMetadata({ ...query, tokenIds }, ask)
    parts.push(part)
    // Ten parts fit side by side; in each of them, single NFTs come one after the other.
    if (size === 1) await part
  }
  return (await Promise.all(parts)).flat()
}

async function readBatch(query: Query<'metadata'>, ask: Ask): Promise<IndexedNft[]> {
  const { contract, tokenIds, anew, deadline } = query
  const { chain, address } = contract
  if (tokenIds.length === 0) return []
  checkCount('NFTs', tokenIds.length, maxNfts)
  const tokens = tokenIds.map((tokenId) => ({ contractAddress: address, tokenId }))
  const { nfts } = await ask(chain, deadline, (endpoint) =>
    nftApi(endpoint).getNftMetadataBatch(tokens, {
      refreshCache: anew,
      tokenUriTimeoutInMs: sourceTimeoutMs(endpoint),
    }),
  )
  if (nfts.length > tokenIds.length) throw malformedAnswer('more NFTs than asked for')
  const known = new Map<TokenId, IndexedNft>(
    indexedNfts(nfts, { chain, contracts: [address] }).map((nft) => [nft.tokenId, nft]),
  )
  return tokenIds.map((tokenId) => known.get(tokenId) ?? unknownNft(contract, tokenId))
}

/** Reads so many NFTs or, if the answer is too large for that, a tenth of them at a time. */
async function orFewer<Answer>(
  count: number,
  read: () => Promise<Answer>,
  readFewer: (count: number) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof AnswerTooLarge) || count === 1) throw error
    return await readFewer(Math.ceil(count / 10))
  }
}

const readBalance = ({ token, owner, deadline }: Query<'balance'>, ask: Ask): Promise<bigint> =>
  ask(token.chain, deadline, ({ jsonRpc, timeoutMs }) =>
    tokenBalance(jsonRpc, { contract: token.address, owner }, timeoutMs),
  )

const unknownNft = ({ chain, address }: ContractKey, tokenId: TokenId): IndexedNft => ({
  chain,
  address,
  tokenId,
  metadataLink: '',
  metadata: { text: '{}', fault: 'not_available' },
})

/** The SDK keeps one time-out for all its calls, so there is one SDK for each; it costs microseconds. */
const nftApi = ({ nft, timeoutMs }: Endpoint) =>
  new Alchemy({ url: nft, requestTimeout: timeoutMs, maxRetries: 1 }).nft

/** How long the indexer may wait for a document's source, so that a slow one spoils only its own NFT. */
const sourceTimeoutMs = ({ timeoutMs }: Endpoint) => Math.floor(timeoutMs / 2)

function checkCount(things: string, count: number, max: number): void {
  // No contracts at all would mean every contract to the indexer.
  if (count < 1 || count > max) throw new RangeError(`1 to ${max} ${things}, not ${count}`)
}

const isKeyRefusal = (error: unknown): boolean =>
  error instanceof FailedExchange && (error.status === 401 || error.status === 403)
