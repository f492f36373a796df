import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'

/** A call of the indexer for a request. */
export interface AskedCall {
  chain: Chain
  owner: Address
  /** The time of the block that the response states. */
  statedAt?: number
  /** Whether the response states no block. */
  hasNoBlock?: boolean
  failed?: boolean
  /** Whether the product has exhausted its calls (D73). */
  refused?: boolean
}

/** A wallet on a chain. */
export const sliceOf = ({ chain, owner }: Pick<AskedCall, 'chain' | 'owner'>): string =>
  `${chain} ${owner}`

/** What a caller asks for with Cache-Control, as RFC 9111 and RFC 5861 define it. */
export interface CallerWish {
  header: string | undefined
  noCache?: true
  maxAge?: number
  staleIfError?: number
}

export const callerWishes: readonly CallerWish[] = [
  { header: undefined },
  { header: 'no-cache', noCache: true },
  { header: 'max-age=0', maxAge: 0 },
  { header: 'max-age=10', maxAge: 10 },
  { header: 'Max-Age=45', maxAge: 45 },
  { header: 'stale-if-error=60', staleIfError: 60 },
  { header: 'stale-if-error=86400', staleIfError: 86_400 },
  { header: 'stale-if-error=31536000', staleIfError: 31_536_000 },
  { header: 'max-age=5, stale-if-error=600', maxAge: 5, staleIfError: 600 },
  { header: 'no-cache,stale-if-error=7200', noCache: true, staleIfError: 7_200 },
  { header: 'max-age=-1' },
  { header: 'max-age=soon, stale-if-error=' },
  { header: 'no-store, only-if-cached, x=1;;,' },
]
