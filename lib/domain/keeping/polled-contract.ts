import type { RangeRead } from '../following/chain-range.ts'
import {
  type KeptContract,
  type SettlingPosition,
  type Snapshot,
  settledBlock,
} from '../holdings/kept-contract.ts'
import {
  type KeptEvent,
  shortHash,
  type UnderstoodEvents,
  understoodEvents,
} from '../holdings/kept-event.ts'
import type { Address } from '../nft/address.ts'
import type { ChainEvent, HashedBlock } from '../ports/chain-events.ts'

/** A contract in a step of the follower. */
export interface PolledContract {
  contract: KeptContract
  after: number
  takes?: Snapshot | undefined
  /** Whether blocks after those of its lists are not read any more: too many, or nobody knows which. */
  hasGap?: boolean | undefined
}

export interface PolledEvents extends UnderstoodEvents {
  metadata?: readonly ChainEvent[]
}

/** What a step has read of kept contracts. */
export interface PolledAnswer {
  events: ReadonlyMap<Address, PolledEvents>
  calls: RangeRead['calls']
  /** When it was asked for, and when the last answer had come, in milliseconds since 1970. */
  askedAt: number
  answeredAt: number
}

interface PollRange {
  settling: SettlingPosition | undefined
  /** The block with which the first step begins, or the first one after a gap. */
  first: HashedBlock
  /** The most blocks before the last one from which on the events of a contract are read. */
  earliest: number
}

/**
 * From where on a step reads the events of each contract: from the oldest one that is not in its lists, or from the block of the
 * snapshot that it takes over; but not from before the earliest block.
 */
export const polledContracts = (
  contracts: readonly KeptContract[],
  { settling, first, earliest }: PollRange,
): PolledContract[] =>
  contracts.map((contract) => {
    const { prepared: takes, settledUpTo } = contract
    if (!settling) return { contract, after: Math.max(first.number, settledUpTo), hasGap: true }
    const after = takes?.since ?? settledBlock(settling, contract)
    if (after < earliest) return { contract, after: settling.declaredBefore.number, hasGap: true }
    return takes ? { contract, after, takes } : { contract, after }
  })

/** The events of each contract after its block, in an answer that has the events of all of them. */
export function answersOf(
  polled: readonly PolledContract[],
  events: readonly ChainEvent[],
): [Address, PolledEvents][] {
  const ofContract = Map.groupBy(events, ({ contract }) => contract)
  return polled.map(({ contract: { address, snapshot, log }, after, takes }) => {
    const its = ofContract.get(address)?.filter(({ block }) => block.number > after) ?? []
    const metadata = its.filter(({ details }) => details.content?.kind === 'metadata')
    return [address, { ...understoodEvents(its, (takes ?? snapshot ?? log)?.standard), metadata }]
  })
}

/** The calls that have read the events of a contract after its block. */
export const callsOf = (
  { contract: { address }, after }: PolledContract,
  calls: PolledAnswer['calls'],
): PolledAnswer['calls'] =>
  calls.filter((call) => call.to > after && call.contracts.includes(address))

/** Reads the block of a number; `undefined` if the node has none. */
export type BlockAt = (number: number) => Promise<HashedBlock | undefined>

interface LastEvent {
  event: KeptEvent
  contracts: readonly Address[]
}

/** The last one of these events in each call that has told some. All events of a call are of one branch, which the last one names. */
export const lastsOfCalls = (
  calls: PolledAnswer['calls'],
  events: ReadonlyMap<Address, readonly KeptEvent[]>,
): LastEvent[] =>
  calls.flatMap(({ contracts: addresses, from, to }) => {
    const isOfCall = ({ block }: KeptEvent) => block >= from && block <= to
    const lasts = addresses.flatMap((address) => {
      const event = events.get(address)?.findLast(isOfCall)
      return event ? [{ address, event }] : []
    })
    const [first, ...others] = lasts.map(({ event }) => event)
    if (!first) return []
    const event = others.reduce((last, each) => (each.block > last.block ? each : last), first)
    return [{ event, contracts: lasts.map(({ address }) => address) }]
  })

/** Whether the block of an event is part of the chain: asked for by its number, it has the same hash. */
export const isInChain =
  (blockAt: BlockAt) =>
  async ({ event: { block: number, hash } }: Pick<LastEvent, 'event'>): Promise<boolean> => {
    const block = await blockAt(number)
    return block !== undefined && shortHash(block.hash) === hash
  }
