import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { SuspensionReason } from '../nft-events/nft-event.ts'
import {
  type ChainEvent,
  type ChainEvents,
  type EventQuery,
  RangeTooLarge,
} from '../ports/chain-events.ts'
import type { Deadline } from '../time-budget.ts'

/** The most blocks that one call asks about. Alchemy permits this range on every covered chain of a paid plan (D152). */
const maxBlocksPerCall = 2_000

/** The most contracts that one call asks about. Ethereum clients refuse more than 1,000; the lists stay readable. */
const maxContractsPerCall = 200

/** The most events that a step holds in memory. What the position notes of them fits its item. */
const maxEvents = 5_000

/**
 * The events of a range, and the contracts without theirs: the source refuses them even for one block (D139), or they
 * are too many.
 */
export interface RangeRead {
  events: ChainEvent[]
  without: Map<Address, SuspensionReason>
  /** The calls that have answered: each can have reached another node. */
  calls: { contracts: readonly Address[]; from: number; to: number }[]
}

interface Range extends Omit<EventQuery, 'chain'> {
  /** Whether a contract is left out before others if there are too many events. */
  isLeftFirst(contract: Address): boolean
}

/** Reads ranges in calls that the source accepts, and remembers how many blocks it accepts. */
export interface RangeReader {
  blocksPerCall(): number
  /** Reads all events of the contracts in the blocks `from` to `to`, both included. Throws IndexerUnavailable. */
  read(range: Range, deadline: Deadline): Promise<RangeRead>
}

/** A reader of ranges. What the source refuses as too large is asked for in halves: of the blocks, then of the contracts. */
export function rangeReader(chain: Chain, source: ChainEvents): RangeReader {
  let blocksPerCall = maxBlocksPerCall

  async function readList(range: Range, into: RangeRead, deadline: Deadline) {
    const { from, to } = range
    let contracts = range.contracts
    for (let start = from; start <= to && contracts.length > 0; ) {
      const end = Math.min(to, start + blocksPerCall - 1)
      try {
        const query = { chain, contracts, from: start, to: end }
        into.events.push(...(await source.events(query, deadline)))
        into.calls.push({ contracts, from: start, to: end })
        leaveBusiest(into, range)
        contracts = contracts.filter((contract) => !into.without.has(contract))
        start = end + 1
      } catch (error) {
        if (!(error instanceof RangeTooLarge)) throw error
        if (end > start) blocksPerCall = Math.ceil((end - start + 1) / 2)
        else {
          await readBlock({ ...range, contracts }, start, into, deadline)
          contracts = contracts.filter((contract) => !into.without.has(contract))
          start = end + 1
        }
      }
    }
  }

  /** Reads a block whose events are refused for all of these contracts together. */
  async function readBlock(
    range: Range,
    block: number,
    into: RangeRead,
    deadline: Deadline,
  ): Promise<void> {
    const { contracts } = range
    const [first] = contracts
    if (contracts.length === 1 && first) {
      into.without.set(first, 'refused')
      return
    }
    const middle = Math.ceil(contracts.length / 2)
    for (const half of [contracts.slice(0, middle), contracts.slice(middle)]) {
      await readList({ ...range, contracts: half, from: block, to: block }, into, deadline)
    }
  }

  return {
    blocksPerCall: () => blocksPerCall,
    async read(range, deadline) {
      const { contracts } = range
      const into: RangeRead = { events: [], without: new Map(), calls: [] }
      for (let start = 0; start < contracts.length; start += maxContractsPerCall) {
        const list = contracts.slice(start, start + maxContractsPerCall)
        await readList({ ...range, contracts: list }, into, deadline)
      }
      return into
    },
  }
}

/** How much a step holds of an event: each NFT counts whose movement it says in detail. */
const sizeOf = ({ details }: ChainEvent): number =>
  details.content?.kind === 'transfer' ? Math.max(1, details.content.tokens.length) : 1

const totalOf = (events: readonly ChainEvent[]): number =>
  events.reduce((sum, event) => sum + sizeOf(event), 0)

/**
 * Leaves contracts out until the events of the others are few enough: those with the most, and first those that are
 * left first.
 */
function leaveBusiest(into: RangeRead, { isLeftFirst }: Range): void {
  let total = totalOf(into.events)
  if (total <= maxEvents) return
  const sizes = [...Map.groupBy(into.events, ({ contract }) => contract)].map(
    ([contract, its]) => ({ contract, size: totalOf(its), rank: isLeftFirst(contract) ? 0 : 1 }),
  )
  for (const { contract, size } of sizes.sort((a, b) => a.rank - b.rank || b.size - a.size)) {
    if (total <= maxEvents) break
    into.without.set(contract, 'busy')
    total -= size
  }
  into.events = into.events.filter(({ contract }) => !into.without.has(contract))
}
