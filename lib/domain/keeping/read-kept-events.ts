import { IndexerUnavailable } from '../failures.ts'
import type { RangeRead, RangeReader } from '../following/chain-range.ts'
import type { SnapshotEnd } from '../holdings/kept-contract.ts'
import type { Address } from '../nft/address.ts'
import type { Deadline } from '../time-budget.ts'
import { answersOf, type PolledAnswer, type PolledContract } from './polled-contract.ts'

/** The contracts that are read with all others, and those that are read by themselves because their events begin earlier. */
interface SharedRange {
  together: readonly PolledContract[]
  alone: readonly PolledContract[]
}

/** Splits contracts by the block from which on a step reads most of them. */
export const sharedRange = (polled: readonly PolledContract[], from: number): SharedRange => ({
  together: polled.filter(({ after }) => after + 1 >= from),
  alone: polled.filter(({ after }) => after + 1 < from),
})

/** The most calls of a range of its own for which the chain waits: more of them may not fit a step again and again. */
const maxOwnCalls = 10

/**
 * The events of each contract, from what was read of all contracts together and from a range of their own: an answer for a contract is never
 * put together from two. `without` has the contracts without an answer: the snapshot of one whose own range takes many calls, which do
 * not fit a step, ends by a gap, because the chain does not wait for it. Throws IndexerUnavailable.
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
  const isLong = ({ after }: PolledContract) => to - after > maxOwnCalls * ranges.blocksPerCall()
  const { long = [], short = [] } = Object.groupBy(alone, (each) =>
    isLong(each) ? 'long' : 'short',
  )
  const parts = [short, ...long.map((each) => [each])].filter((part) => part.length > 0)
  for (const part of parts) {
    const from = Math.min(...part.map(({ after }) => after)) + 1
    const contracts = part.map(addressOf)
    const range = { contracts, from, to, isLeftFirst: () => false }
    const half = clock() + Math.floor((deadline - clock()) / 2)
    const read = await (part === short
      ? ranges.read(range, deadline)
      : ranges.read(range, half).catch(noneOf(contracts)))
    for (const [address, reason] of read.without) without.set(address, reason)
    for (const [address, answer] of answersOf(part, read.events)) events.set(address, answer)
    calls.push(...read.calls)
  }
  return { events, calls, askedAt, answeredAt: clock(), without }
}

/** Handles the failure of a range that does not fit a step. Throws any other. */
const noneOf = (contracts: readonly Address[]) => (error: unknown) => {
  if (!(error instanceof IndexerUnavailable)) throw error
  const without = contracts.map((address) => [address, 'gap'] as const)
  return { events: [], calls: [], without: new Map<Address, SnapshotEnd>(without) }
}

const addressOf = ({ contract: { address } }: PolledContract): Address => address
