import type { ShownLimit } from '../../lib/domain/limit/limit.ts'
import {
  allowlistingLimits,
  clientIndexerLimits,
  clientReadLimits,
  indexerLimits,
  newKeyLimits,
} from '../../lib/settings/limits.ts'

/** The limits that can refuse calls of a product, as problem details name them (D47, D64). */
export function productLimits(): readonly ShownLimit[] {
  const { allowlisting, maxNfts } = allowlistingLimits()
  return [
    ...indexerLimits().indexer,
    ...clientIndexerLimits().clientIndexer,
    ...clientReadLimits(),
    ...allowlisting,
    ...(maxNfts === undefined ? [] : [{ name: 'nfts', count: maxNfts } as const]),
    ...newKeyLimits().requests,
  ]
}
