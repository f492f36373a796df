import { ApiError, addressFrom, type Nft, nftFrom, objectFrom, pageSizeFrom } from './api-error.ts'
import { blockOf, latestNumber } from './chain/blocks.ts'
import { mintedFrom, ownedAfter, ownersAfter } from './holdings.ts'
import { refresh, tokenAt } from './metadata-cache.ts'
import { nftJson } from './nft-json.ts'
import { pageKeyOf, positionOf } from './page-keys.ts'
import type { Network, World } from './world.ts'

/** A call of the NFT API, and the data for its response. */
interface NftCall {
  world: World
  network: Network
  /** Milliseconds since 1970. */
  now: number
  query: URLSearchParams
  /** The JSON body of a POST. */
  body: unknown
}

/** A method of the NFT API v3. It returns the body of a 200 response or throws an {@link ApiError}. */
export interface NftMethod {
  verb: 'GET' | 'POST'
  respond(call: NftCall): unknown
}

/** The methods, by their names in paths. */
export const nftMethods: ReadonlyMap<string, NftMethod> = new Map<string, NftMethod>([
  ['getNFTsForOwner', { verb: 'GET', respond: getNftsForOwner }],
  ['getNFTsForContract', { verb: 'GET', respond: getNftsForContract }],
  ['getOwnersForContract', { verb: 'GET', respond: getOwnersForContract }],
  ['getNFTMetadataBatch', { verb: 'POST', respond: getNftMetadataBatch }],
])

const maxContracts = 45
const maxBatch = 100
const maxOwners = 50_000

function getNftsForOwner(call: NftCall) {
  const { network, now, query, world } = call
  const owner = addressFrom(query.get('owner'), 'owner')
  const contracts = query.getAll('contractAddresses[]')
  if (contracts.length > maxContracts) {
    const size = `Contract address filter size of: ${contracts.length}`
    throw new ApiError(400, `${size} is greater than the maximum allowed of: ${maxContracts}!`)
  }
  const filter = contracts.map((text) => addressFrom(text, 'contractAddresses')).sort()
  const filtered = { network, owner, ...(filter.length > 0 && { contracts: filter }) }
  const identity = [network, owner, ...filter].join()
  const pageKey = query.get('pageKey')
  const after = pageKey ? positionOf(identity, pageKey, now) : undefined
  if (pageKey && !after) {
    const reason = 'Page key is not found or expired, please try again with a valid page key'
    throw new ApiError(400, reason)
  }
  const page = ownedAfter(world, filtered, {
    after,
    limit: pageSizeFrom(query.get('pageSize') ?? '100'),
  })
  return {
    ownedNfts: page.owned.map(({ collection, tokenId, amount }) => ({
      ...nftJson({ address: collection.address, collection }, tokenId),
      balance: amount.toString(),
    })),
    totalCount: page.totalCount,
    validAt: statedBlock(call),
    pageKey: page.last ? pageKeyOf(identity, page.last, now) : null,
  }
}

/** Without metadata. A page key is the first token identifier of its page. It does not expire, and a caller may also write it. */
function getNftsForContract({ network, query, world }: NftCall) {
  const address = addressFrom(query.get('contractAddress'), 'contractAddress')
  const pageKey = query.get('pageKey') || query.get('startToken') || '0'
  const start = nftFrom(address, pageKey).tokenId
  const limit = pageSizeFrom(query.get('limit') ?? '100', 'limit')
  const { tokenIds, next } = mintedFrom(world, { network, address }, { start, limit })
  return {
    nfts: tokenIds.map((tokenId) => ({ tokenId })),
    ...(next !== undefined && { pageKey: `0x${BigInt(next).toString(16).padStart(64, '0')}` }),
  }
}

/** With token balances. A page key is the last owner of the page before. It does not expire, and the answer states no block. */
function getOwnersForContract({ network, query, world }: NftCall) {
  const address = addressFrom(query.get('contractAddress'), 'contractAddress')
  const pageKey = query.get('pageKey')
  const after = pageKey ? addressFrom(pageKey, 'pageKey') : undefined
  const page = ownersAfter(world, { network, address }, { after, limit: maxOwners })
  const owners = page.owners.map(({ owner, amounts }) => ({
    ownerAddress: owner,
    tokenBalances: amounts.map(({ tokenId, amount }) => ({ tokenId, balance: `${amount}` })),
  }))
  return { owners, pageKey: page.last ?? null }
}

function getNftMetadataBatch(call: NftCall) {
  const { tokens, refreshCache = false } = objectFrom(call.body)
  if (!Array.isArray(tokens)) throw new ApiError(400, 'tokens must be an array')
  if (tokens.length > maxBatch) {
    const limit = `only supports up to ${maxBatch} tokens per request`
    throw new ApiError(400, `Sorry, this endpoint ${limit}.`)
  }
  const nfts = tokens.map((token) => {
    const { contractAddress, tokenId } = objectFrom(token)
    return nftFrom(contractAddress, tokenId)
  })
  return { nfts: nfts.map((nft) => describeNft(call, nft, refreshCache === true)) }
}

function describeNft(call: NftCall, nft: Nft, withRefresh: boolean) {
  const collection = call.world[call.network].collections.get(nft.address)
  const token = collection && tokenAt(collection, nft.tokenId)
  if (withRefresh && token) refresh(token, call.now)
  return nftJson({ address: nft.address, collection }, nft.tokenId)
}

/** The block that an answer states: the latest one. */
function statedBlock({ world, network, now }: NftCall) {
  const { number, hash, timestamp } = blockOf(world, network, latestNumber(network, now))
  const blockTimestamp = new Date(timestamp * 1000).toISOString()
  return { blockNumber: number, blockHash: hash, blockTimestamp }
}
