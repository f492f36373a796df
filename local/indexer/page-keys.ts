import { createHash } from 'node:crypto'
import { branded } from '../../lib/domain/branded.ts'
import type { Position } from './holdings.ts'

/** The lifetime of a page key, in milliseconds. */
export const pageKeyLifetimeMs = 10 * 60 * 1000

const digestOf = (query: string): string => createHash('sha256').update(query).digest('base64url')

/** Returns the page key of a position: valid for one query and for ten minutes. */
export const pageKeyOf = (query: string, { address, tokenId }: Position, now: number): string =>
  [digestOf(query), now + pageKeyLifetimeMs, address, tokenId].join('.')

/** Returns the position of a page key, or `undefined` if the key is unknown, expired, or for another query. */
export function positionOf(query: string, pageKey: string, now: number): Position | undefined {
  const [, digest, expiresAt = '', address = '', tokenId = ''] =
    /^([\w-]+)\.(\d+)\.(0x[0-9a-f]{40})\.(\d+)$/.exec(pageKey) ?? []
  if (digest !== digestOf(query) || now >= Number(expiresAt)) return undefined
  return { address: branded(address), tokenId: branded(tokenId) }
}
