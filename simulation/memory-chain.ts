import { type Address, toAddress } from '../lib/domain/nft/address.ts'
import {
  type ChainEvent,
  type ChainEvents,
  type HashedBlock,
  RangeTooLarge,
} from '../lib/domain/ports/chain-events.ts'

/** An address with a number, for tests. */
export const addressOf = (number: number): Address =>
  toAddress(`0x${number.toString(16).padStart(40, '0')}`)

/** The time between two blocks, in milliseconds. */
const blockMilliseconds = 2_000

/** A chain in memory whose blocks follow from the clock. Tests change it at any moment. */
interface MemoryChain extends ChainEvents {
  /** All events of the branch that counts. */
  logs: ChainEvent[]
  /** Adds an event to the next block. */
  emit(event: Pick<ChainEvent, 'contract' | 'details'>): void
  /** Replaces the latest blocks by others without events. */
  replace(blocks: number): void
  /** The events that the source does not show yet. */
  hidden: Set<ChainEvent>
  /** The blocks that the source is behind. */
  behind: number
  /** The most blocks and events in an answer. */
  maxBlocks: number
  maxEvents: number
  /** The ranges that were asked for. */
  queries: { contracts: number; from: number; to: number }[]
  /** Milliseconds that the time of the latest block is ahead of the clock. */
  ahead: number
  /** Milliseconds after which the nodes that are asked for a block by its number know which blocks were replaced. */
  branchLate: number
}

export function memoryChain(now: () => number): MemoryChain {
  /** The first block of each new branch, and since when there is one. */
  const branches: { first: number; since: number }[] = []
  const latest = () => Math.floor(now() / blockMilliseconds) - chain.behind
  const block = (number: number, moment = now()): HashedBlock => {
    const branch = branches.filter(({ first, since }) => number >= first && since <= moment).length
    // Items of kept contracts have the first 12 digits only.
    const digits = `${branch}`.padStart(4, '0') + number.toString(16).padStart(8, '0')
    const hash = `0x${digits.padEnd(64, '0')}`
    return { number, hash, at: number * blockMilliseconds + chain.ahead }
  }
  const chain: MemoryChain = {
    logs: [],
    hidden: new Set(),
    behind: 0,
    maxBlocks: 2_000,
    maxEvents: 1_000,
    queries: [],
    ahead: 0,
    branchLate: 0,
    emit({ contract, details }) {
      const { number, hash } = block(Math.floor(now() / blockMilliseconds) + 1)
      const index = chain.logs.filter((log) => log.block.number === number).length
      chain.logs.push({ contract, index, block: { number, hash }, details })
    },
    replace(blocks) {
      const first = latest() - blocks + 1
      branches.push({ first, since: now() })
      chain.logs = chain.logs.filter((log) => log.block.number < first)
    },
    head: async () => block(latest()),
    block: async (_, number) =>
      number <= latest() ? block(number, now() - chain.branchLate) : undefined,
    async events({ contracts, from, to }) {
      chain.queries.push({ contracts: contracts.length, from, to })
      const found = chain.logs.filter(
        (log) =>
          contracts.includes(log.contract) &&
          log.block.number >= from &&
          log.block.number <= Math.min(to, latest()) &&
          !chain.hidden.has(log),
      )
      if (to - from + 1 > chain.maxBlocks || found.length > chain.maxEvents) {
        throw new RangeTooLarge()
      }
      return found
    },
  }
  return chain
}
