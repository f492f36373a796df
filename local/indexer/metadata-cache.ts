import { parseTokenId } from '../../lib/domain/token-id.ts'
import {
  type Collection,
  canonicalTokenId,
  collectionOf,
  type NftRef,
  type SourceAnswer,
  type Token,
  type World,
} from './world.ts'

/** A refresh is honoured once per token in this time, whoever asks (Alchemy's rule). */
export const refreshIntervalMs = 15 * 60 * 1000

/** When everything was first indexed, milliseconds since 1970. */
const firstIndexedAt = Date.UTC(2026, 0, 12, 9, 30)

/** The answer of a source that cannot be read. */
export const unreadable = (error: string): SourceAnswer => ({ metadata: '{}', error })

/** A token of a contract, indexed when first looked at; `undefined`: there is no such token. */
export function tokenAt(collection: Collection, tokenId: string): Token | undefined {
  const key = parseTokenId(tokenId)
  if (key === undefined) return undefined
  const known = collection.tokens.get(key)
  if (known) return known
  const source = collection.metadata(key)
  if (!source) return undefined
  const tokenUri = collection.tokenUri(key)
  const token = {
    tokenUri,
    source,
    cached: source,
    cachedAt: firstIndexedAt,
    refreshedAt: undefined,
  }
  collection.tokens.set(key, token)
  return token
}

/** Changes what a token's source says; the indexer goes on answering what it has cached. */
export function setSource(world: World, nft: NftRef, answer: SourceAnswer): void {
  const token = tokenAt(collectionOf(world, nft), canonicalTokenId(nft.tokenId))
  if (!token) throw new RangeError(`no token ${nft.tokenId} at ${nft.address}`)
  token.source = wellFormed(answer)
}

/**
 * Fetches a token's metadata anew, unless that was done in the last 15 minutes: then nothing happens.
 * A source that fails replaces what was cached by its failure.
 */
export function refresh(token: Token, now: number): void {
  if (token.refreshedAt !== undefined && now - token.refreshedAt < refreshIntervalMs) return
  token.refreshedAt = now
  fetchAnew(token, now)
}

/** Fetches the metadata of all of a contract's tokens anew, and answers how many there are. */
export function invalidate(collection: Collection, now: number): number {
  for (const token of collection.tokens.values()) fetchAnew(token, now)
  return collection.totalSupply
}

function fetchAnew(token: Token, now: number): void {
  token.cached = token.source
  token.cachedAt = now
}

/** Text that is no JSON would break every answer it is spliced into, and harm other tokens. */
function wellFormed(answer: SourceAnswer): SourceAnswer {
  JSON.parse(answer.metadata)
  if (!answer.metadata.isWellFormed()) throw new SyntaxError('a lone surrogate in metadata')
  return answer
}
