import type { Chain } from '../nft/chain.ts'
import type { LogPlace } from './nft-event.ts'

/**
 * Where a reader goes on in the events of a chain: at a place, or with what happens from a time on, in milliseconds since 1970. At a place
 * with a time: with what happens from then on, of which nothing is before the place.
 */
export type ChainStart = (LogPlace & { since?: number | undefined }) | { since: number }

/**
 * Where a reader goes on: in each of some chains, and from a time on in the others. Everything that the reader has not seen of the chains is
 * of that time, or later.
 */
export interface EventStart {
  chains: ReadonlyMap<Chain, ChainStart>
  since: number
}
