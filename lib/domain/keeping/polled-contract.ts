import type { RangeRead } from '../following/chain-range.ts'
import {
  type KeptContract,
  type SettlingPosition,
  type Snapshot,
  settledBlock,
} from '../holdings/kept-contract.ts'
import { type UnderstoodEvents, understoodEvents } from '../holdings/kept-event.ts'
import type { Address } from '../nft/address.ts'
import type { ChainEvent, HashedBlock } from '../ports/chain-events.ts'

/** A contract in a step of the follower. */
export interface PolledContract {
  contract: KeptContract
  /** The step reads the events after this block. */
  after: number
  /** The snapshot that the step takes over. */
  takes?: Snapshot | undefined
}

/** What a step has read of kept contracts. */
export interface KeptAnswer {
  events: ReadonlyMap<Address, UnderstoodEvents>
  calls: RangeRead['calls']
  /** When it was asked for, in milliseconds since 1970. */
  askedAt: number
}

/**
 * From where on a step reads the events of each contract: from the oldest one that is not in its lists, or from the block of the
 * snapshot that it takes over. `settling`: absent in the first step, which begins with the block `first`.
 */
export const polledContracts = (
  contracts: readonly KeptContract[],
  settling: SettlingPosition | undefined,
  first: HashedBlock,
): PolledContract[] =>
  contracts.map((contract) => {
    const { prepared: takes, settledUpTo } = contract
    if (takes) return { contract, after: takes.since, takes }
    const after = settling ? settledBlock(settling, contract) : Math.max(first.number, settledUpTo)
    return { contract, after }
  })

/** The events of each contract after its block, in an answer that has the events of all of them. */
export function answersOf(
  polled: readonly PolledContract[],
  events: readonly ChainEvent[],
): [Address, UnderstoodEvents][] {
  const ofContract = Map.groupBy(events, ({ contract }) => contract)
  return polled.map(({ contract: { address, snapshot, log }, after, takes }) => {
    const its = ofContract.get(address)?.filter(({ block }) => block.number > after) ?? []
    return [address, understoodEvents(its, (takes ?? snapshot ?? log)?.standard)]
  })
}

/** The calls that have read the events of a contract after its block. */
export const callsOf = (
  { contract: { address }, after }: PolledContract,
  calls: KeptAnswer['calls'],
): KeptAnswer['calls'] =>
  calls.filter((call) => call.to > after && call.contracts.includes(address))
