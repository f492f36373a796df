import { type KeptEvent, shortHash } from '../holdings/kept-event.ts'
import type { Address } from '../nft/address.ts'
import type { HashedBlock } from '../ports/chain-events.ts'
import type { PolledAnswer } from './polled-contract.ts'

/** Reads the block of a number; `undefined` if the node has none. */
export type BlockAt = (number: number) => Promise<HashedBlock | undefined>

/** The last event that a call has told, and the contracts of its events. */
interface LastEvent {
  event: KeptEvent
  contracts: readonly Address[]
}

/** The last one of these events in each call that has told some. All events of a call are of one branch, which the last one names. */
export const lastsOfCalls = (
  calls: PolledAnswer['calls'],
  events: ReadonlyMap<Address, readonly KeptEvent[]>,
): LastEvent[] =>
  calls.flatMap(({ contracts: asked, from, to }) => {
    const isOfCall = ({ block }: KeptEvent) => block >= from && block <= to
    const told = asked.flatMap((address) => {
      const event = events.get(address)?.findLast(isOfCall)
      return event ? [{ address, event }] : []
    })
    const [first, ...others] = told.map(({ event }) => event)
    if (!first) return []
    const event = others.reduce((last, each) => (each.block > last.block ? each : last), first)
    return [{ event, contracts: told.map(({ address }) => address) }]
  })

/** Whether the block of an event is part of the chain: asked for by its number, it has the same hash. */
export const isInChain =
  (blockAt: BlockAt) =>
  async ({ event: { block: number, hash } }: Pick<LastEvent, 'event'>): Promise<boolean> => {
    const block = await blockAt(number)
    return block !== undefined && shortHash(block.hash) === hash
  }
