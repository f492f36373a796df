import type { Address } from '../nft/address.ts'
import type { KeptList } from '../ports/kept-contracts.ts'
import { applyEvents, countOf, type Holdings, maxListed } from './holdings.ts'
import type { Snapshot } from './kept-contract.ts'
import type { KeptEvent } from './kept-event.ts'

/**
 * What a wallet holds of a contract: its list, and the events that are not in it. `undefined` if it is more than a list
 * has.
 */
export function heldBy(
  wallet: Address,
  list: KeptList | undefined,
  events: readonly KeptEvent[],
  { standard }: Pick<Snapshot, 'standard'>,
): Holdings | undefined {
  const { settledUpTo = -1, isTooLong, tokens } = list ?? {}
  const isIts = ({ from, to }: KeptEvent) => from === wallet || to === wallet
  const later = events.filter((event) => isIts(event) && event.block > settledUpTo)
  if (isTooLong || countOf(later) > maxListed) return undefined
  if (tokens && later.length === 0) return tokens
  const holdings: Holdings = new Map(tokens)
  applyEvents(holdings, wallet, later, standard)
  return holdings
}
