import { parseTokenId, type TokenId } from '../../lib/domain/allowlist/token-id.ts'
import {
  type Collection,
  canonicalTokenId,
  collectionOf,
  type NftRef,
  type SourceAnswer,
  type Token,
  type World,
} from './world.ts'

/** Alchemy refreshes a token at most once in this time, for all callers together. */
export const refreshIntervalMs = 15 * 60 * 1000

/** The time of the first indexing of all tokens, in milliseconds since 1970. */
const firstIndexedAt = Date.UTC(2026, 0, 12, 9, 30)

/** Returns the response of a source that cannot be read. */
export const unreadable = (error: string): SourceAnswer => ({ metadata: '{}', error })

/** Returns a token of a contract and indexes it on first use. Returns `undefined` if it does not exist. */
export function tokenAt(collection: Collection, tokenId: string): Token | undefined {
  const key = parseTokenId(tokenId)
  if (key === undefined) return undefined
  const known = collection.tokens.get(key)
  if (known) return known
  const source = collection.metadata(key)
  return source && indexToken(collection, key, source, firstIndexedAt)
}

/** Adds a token with the response of its source to a contract. `now` is in milliseconds since 1970. */
export function indexToken(
  collection: Collection,
  tokenId: TokenId,
  source: SourceAnswer,
  now: number,
): Token {
  const tokenUri = collection.tokenUri(tokenId)
  const token = { tokenUri, source, cached: source, cachedAt: now, refreshedAt: undefined }
  collection.tokens.set(tokenId, token)
  return token
}

/** Changes a token's source. The indexer continues to return the cached metadata. */
export function setSource(world: World, nft: NftRef, answer: SourceAnswer): void {
  const token = tokenAt(collectionOf(world, nft), canonicalTokenId(nft.tokenId))
  if (!token) throw new RangeError(`no token ${nft.tokenId} at ${nft.address}`)
  token.source = checkMetadata(answer)
}

/**
 * Fetches a token's metadata again, unless it was refreshed in the last 15 minutes. The failure of a source
 * replaces the cached metadata.
 */
export function refresh(token: Token, now: number): void {
  if (token.refreshedAt !== undefined && now - token.refreshedAt < refreshIntervalMs) return
  token.refreshedAt = now
  token.cached = token.source
  token.cachedAt = now
}

/** Throws if the metadata is not JSON, because it would break the responses for other tokens too. */
function checkMetadata(answer: SourceAnswer): SourceAnswer {
  JSON.parse(answer.metadata)
  if (!answer.metadata.isWellFormed()) throw new SyntaxError('a lone surrogate in metadata')
  return answer
}
