import type { RangeRead, RangeReader } from '../following/chain-range.ts'
import type { Address } from '../nft/address.ts'
import type { Deadline } from '../time-budget.ts'
import { answersOf, type KeptAnswer, type PolledContract } from './polled-contract.ts'

/** The contracts that are read with all others, and those that are read by themselves because their events begin earlier. */
export interface SharedRange {
  together: readonly PolledContract[]
  alone: readonly PolledContract[]
}

/** Splits contracts by the block from which on a step reads most of them. */
export const sharedRange = (polled: readonly PolledContract[], from: number): SharedRange => ({
  together: polled.filter(({ after }) => after + 1 >= from),
  alone: polled.filter(({ after }) => after + 1 < from),
})

/**
 * The events of each contract, from what was read of all contracts together and from ranges of their own: an answer for a contract is never
 * put together from two. Throws IndexerUnavailable.
 */
export async function readKeptEvents(
  { together, alone }: SharedRange,
  shared: RangeRead,
  { to, askedAt }: { to: number; askedAt: number },
  ranges: RangeReader,
  deadline: Deadline,
): Promise<KeptAnswer & { without: RangeRead['without'] }> {
  const own = new Set(alone.map(addressOf))
  const calls: RangeRead['calls'] = shared.calls.map((call) => ({
    ...call,
    contracts: call.contracts.filter((contract) => !own.has(contract)),
  }))
  const events = new Map(answersOf(together, shared.events))
  const without = new Map(shared.without)
  for (const [after, contracts] of Map.groupBy(alone, (each) => each.after)) {
    const addresses = contracts.map(addressOf)
    const detailed = new Set(addresses)
    const range = { contracts: addresses, from: after + 1, to, detailed, isLeftFirst: () => false }
    const read = await ranges.read(range, deadline)
    for (const [address, answer] of answersOf(contracts, read.events)) events.set(address, answer)
    for (const [address, reason] of read.without) without.set(address, reason)
    calls.push(...read.calls)
  }
  return { events, calls, askedAt, without }
}

const addressOf = ({ contract: { address } }: PolledContract): Address => address
