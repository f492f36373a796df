import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import { type ChainEvent, type ChainEvents, RangeTooLarge } from '../ports/chain-events.ts'
import type { Deadline } from '../time-budget.ts'

/** The most blocks that one call asks about. Alchemy permits this range on every covered chain of a paid plan (D66). */
const maxBlocksPerCall = 2_000

/** The most contracts that one call asks about. Ethereum clients refuse more than 1,000; the lists stay readable. */
const maxContractsPerCall = 200

/** The events of a step that fit an item of the table. More are not held in memory either. */
export const maxEvents = 5_000

/** The events of a range, and the contracts that have too many: the source refuses even those of a single block, or a step. */
export interface RangeRead {
  events: ChainEvent[]
  refused: Set<Address>
}

interface Range {
  contracts: readonly Address[]
  from: number
  to: number
}

/** Reads ranges in calls that the source accepts, and remembers how many blocks it accepts. */
export interface RangeReader {
  /** The number of blocks in the next call. */
  blocksPerCall(): number
  /** Reads all events of the contracts in the blocks `from` to `to`, both included. Throws IndexerUnavailable. */
  read(range: Range, deadline: Deadline): Promise<RangeRead>
}

/** A reader of ranges. What the source refuses as too large is asked for in halves: of the blocks, then of the contracts. */
export function rangeReader(chain: Chain, source: ChainEvents): RangeReader {
  let blocksPerCall = maxBlocksPerCall

  async function readList({ contracts, from, to }: Range, into: RangeRead, deadline: Deadline) {
    let asked = contracts
    for (let start = from; start <= to && asked.length > 0; ) {
      const end = Math.min(to, start + blocksPerCall - 1)
      try {
        const query = { chain, contracts: asked, from: start, to: end }
        into.events.push(...(await source.events(query, deadline)))
        refuseBusiest(into)
        asked = asked.filter((contract) => !into.refused.has(contract))
        start = end + 1
      } catch (error) {
        if (!(error instanceof RangeTooLarge)) throw error
        if (end > start) blocksPerCall = Math.ceil((end - start + 1) / 2)
        else {
          await readBlock(asked, start, into, deadline)
          asked = asked.filter((contract) => !into.refused.has(contract))
          start = end + 1
        }
      }
    }
  }

  /** Reads a block whose events are refused for all of these contracts together. */
  async function readBlock(
    contracts: readonly Address[],
    block: number,
    into: RangeRead,
    deadline: Deadline,
  ): Promise<void> {
    const [first] = contracts
    if (contracts.length === 1 && first) {
      into.refused.add(first)
      return
    }
    const middle = Math.ceil(contracts.length / 2)
    for (const half of [contracts.slice(0, middle), contracts.slice(middle)]) {
      await readList({ contracts: half, from: block, to: block }, into, deadline)
    }
  }

  return {
    blocksPerCall: () => blocksPerCall,
    async read({ contracts, from, to }, deadline) {
      const into: RangeRead = { events: [], refused: new Set() }
      for (let start = 0; start < contracts.length; start += maxContractsPerCall) {
        const list = contracts.slice(start, start + maxContractsPerCall)
        await readList({ contracts: list, from, to }, into, deadline)
      }
      return into
    },
  }
}

/** Refuses the contracts with the most events until the others are few enough. */
function refuseBusiest(into: RangeRead): void {
  if (into.events.length <= maxEvents) return
  const counts = Map.groupBy(into.events, ({ contract }) => contract)
  let total = into.events.length
  for (const [contract, { length }] of [...counts].sort(([, a], [, b]) => b.length - a.length)) {
    if (total <= maxEvents) break
    into.refused.add(contract)
    total -= length
  }
  into.events = into.events.filter(({ contract }) => !into.refused.has(contract))
}
