import type { RangeReader } from '../following/chain-range.ts'
import type { Snapshot } from '../holdings/kept-contract.ts'
import { type UnderstoodEvents, understoodEvents } from '../holdings/kept-event.ts'
import type { Address } from '../nft/address.ts'
import type { Deadline } from '../time-budget.ts'

/**
 * The transfers of contracts in blocks, of which there can be more than a step of the follower holds: those of busy contracts are read in
 * halves of the blocks. A contract is left out if the source refuses to tell its events, or a block has too many of them. Throws
 * IndexerUnavailable.
 */
export async function lateEvents(
  contracts: ReadonlyMap<Address, Snapshot['standard']>,
  { from, to }: { from: number; to: number },
  ranges: RangeReader,
  deadline: Deadline,
): Promise<Map<Address, UnderstoodEvents>> {
  const addresses = [...contracts.keys()]
  const range = { contracts: addresses, from, to, isLeftFirst: () => false }
  const read = await ranges.read(range, deadline)
  const ofContract = Map.groupBy(read.events, ({ contract }) => contract)
  const found = new Map<Address, UnderstoodEvents>()
  const busy = new Map<Address, Snapshot['standard']>()
  for (const [address, standard] of contracts) {
    const reason = read.without.get(address)
    if (!reason) found.set(address, understoodEvents(ofContract.get(address) ?? [], standard))
    else if (reason === 'busy' && from < to) busy.set(address, standard)
  }
  if (busy.size === 0) return found
  const middle = Math.floor((from + to) / 2)
  const first = await lateEvents(busy, { from, to: middle }, ranges, deadline)
  const second = await lateEvents(busy, { from: middle + 1, to }, ranges, deadline)
  for (const [address, { events, hasUnknown }] of first) {
    const rest = second.get(address)
    if (!rest) continue
    found.set(address, {
      events: [...events, ...rest.events],
      hasUnknown: hasUnknown || rest.hasUnknown,
    })
  }
  return found
}
