import { maxPageKeyBytes } from '../../domain/ports/indexer.ts'
import { malformedResponse } from './malformed-response.ts'

/** The page key of an answer; `null` if it has none. Throws an IndexerUnavailable for one that is none, or does not fit into a cursor. */
export function pageKeyIn(value: unknown = null): string | null {
  if (value === null) return null
  if (typeof value !== 'string' || value === '') throw malformedResponse('a page key that is none')
  if (Buffer.byteLength(JSON.stringify(value)) > maxPageKeyBytes) {
    throw malformedResponse('a page key that does not fit into a cursor')
  }
  return value
}
