import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Position } from './holdings.ts'

/** The lifetime of a page key, in milliseconds. */
export const pageKeyLifetimeMs = 10 * 60 * 1000

/** Opaque page keys. A page key is valid for one query and for ten minutes. */
export interface PageKeys {
  seal(query: string, position: Position, now: number): string
  /** Returns the position, or `undefined` if the key is unknown, expired, or for another query. */
  open(query: string, pageKey: string, now: number): Position | undefined
}

/** Creates page keys, by default with a new secret, so that they are valid only in this process. */
export function createPageKeys(secret: string | Buffer = randomBytes(32)): PageKeys {
  const macOf = (query: string, payload: string) =>
    createHmac('sha256', secret).update(`${query}\n${payload}`).digest('base64url')
  return {
    seal(query, { address, tokenId }, now) {
      const content = JSON.stringify([now + pageKeyLifetimeMs, address, tokenId])
      const payload = Buffer.from(content).toString('base64url')
      return payload + macOf(query, payload)
    },
    open(query, pageKey, now) {
      const payload = pageKey.slice(0, -macLength)
      const mac = Buffer.from(macOf(query, payload))
      const given = Buffer.from(pageKey.slice(-macLength))
      if (given.length !== mac.length || !timingSafeEqual(given, mac)) return undefined
      const [expiresAt, address, tokenId] = JSON.parse(
        Buffer.from(payload, 'base64url').toString(),
      ) as [number, Position['address'], Position['tokenId']]
      return now < expiresAt ? { address, tokenId } : undefined
    },
  }
}

/** The length of a SHA-256 digest in base64url, without padding. */
const macLength = 43
