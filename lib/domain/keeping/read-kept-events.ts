import { IndexerUnavailable } from '../failures.ts'
import type { RangeRead, RangeReader } from '../following/chain-range.ts'
import type { SnapshotEnd } from '../holdings/kept-contract.ts'
import type { Address } from '../nft/address.ts'
import type { Deadline } from '../time-budget.ts'
import { answersOf, type PolledAnswer, type PolledContract } from './polled-contract.ts'

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

/** How much earlier than by the clock a call can be out of time, in milliseconds: timers are not exact. */
const timerMilliseconds = 20

/**
 * The events of each contract, from what was read of all contracts together and from a range of their own: an answer for a contract is never
 * put together from two. `without` has the contracts without an answer: the snapshot of one whose own range takes more calls than fit a
 * step ends by a gap, because the chain does not wait for it. Throws IndexerUnavailable.
 */
export async function readKeptEvents(
  { together, alone }: SharedRange,
  shared: RangeRead,
  { to, askedAt, clock }: { to: number; askedAt: number; clock(): number },
  ranges: RangeReader,
  deadline: Deadline,
): Promise<PolledAnswer & { without: Map<Address, SnapshotEnd> }> {
  const own = new Set(alone.map(addressOf))
  const calls: RangeRead['calls'] = shared.calls.map((call) => ({
    ...call,
    contracts: call.contracts.filter((contract) => !own.has(contract)),
  }))
  const events = new Map(answersOf(together, shared.events))
  const without = new Map<Address, SnapshotEnd>(shared.without)
  if (alone.length > 0) {
    const from = Math.min(...alone.map(({ after }) => after)) + 1
    const contracts = alone.map(addressOf)
    const range = { contracts, from, to, detailed: new Set(contracts), isLeftFirst: () => false }
    const until = clock() + Math.floor((deadline - clock()) / 2)
    const read = await ranges.read(range, until).catch((error) => {
      const takesOneCall = to - from < ranges.blocksPerCall()
      if (
        !(error instanceof IndexerUnavailable) ||
        takesOneCall ||
        clock() < until - timerMilliseconds
      )
        throw error
    })
    for (const address of read ? read.without.keys() : contracts)
      without.set(address, read?.without.get(address) ?? 'gap')
    for (const [address, answer] of answersOf(read ? alone : [], read?.events ?? []))
      events.set(address, answer)
    calls.push(...(read?.calls ?? []))
  }
  return { events, calls, askedAt, answeredAt: clock(), without }
}

const addressOf = ({ contract: { address } }: PolledContract): Address => address
