import type * as v from 'valibot'
import {
  atItsEnd,
  type EndedKey,
  endedKeyDays,
  type ProductKey,
  works,
} from '../domain/product/product-key.ts'
import { compareTexts } from '../domain/text.ts'
import type { listedKey } from './answers.ts'

/** An API key as an entry of a response (D46). */
export const keyEntry = (key: ProductKey & Partial<EndedKey>): v.InferInput<typeof listedKey> => ({
  keyId: key.keyId,
  label: key.label,
  scope: key.scope,
  last4: key.last4,
  createdAt: key.createdAt,
  expiresAt: key.endsAt ?? null,
  lastUsedOn: key.lastUsedOn ?? null,
  endedAt: key.endedAt ?? null,
  endReason: key.endReason ?? null,
})

/**
 * The keys that work, by their creation, then those that ended in the last 90 days, the latest first. A record of a key
 * that the product lists does not count. `now`: milliseconds since 1970.
 */
export function keyEntries(
  keys: readonly ProductKey[],
  records: readonly EndedKey[],
  now: number,
): v.InferInput<typeof listedKey>[] {
  const listed = new Set(keys.map(({ keyId }) => keyId))
  const oldest = new Date(now - endedKeyDays * 86_400_000).toISOString()
  const working = keys
    .filter((key) => works(key, now))
    .sort((a, b) => compareTexts(a.createdAt, b.createdAt) || compareTexts(a.keyId, b.keyId))
  const ended = [
    ...keys.filter((key) => !works(key, now)).map(atItsEnd),
    ...records.filter(({ keyId }) => !listed.has(keyId)),
  ]
    .filter(({ endedAt }) => endedAt > oldest)
    .sort((a, b) => compareTexts(b.endedAt, a.endedAt) || compareTexts(a.keyId, b.keyId))
  return [...working, ...ended].map(keyEntry)
}
