import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import {
  type ChainEvents,
  type HashedBlock,
  RangeTooLarge,
} from '../../../lib/domain/ports/chain-events.ts'
import type { Deadline } from '../../../lib/domain/time-budget.ts'
import { blockOf, lastBlocks, type SimulatedBlock, type SimulatedChain } from './simulated-chain.ts'
import type { SimulatedTime } from './simulated-time.ts'

/** How the nodes behave that a follower asks. */
export interface NodeMood {
  isDown: boolean
  /** How long all nodes are behind the chain, in milliseconds. */
  delay: number
  /** The longest time that a node is behind the others, in milliseconds: each call can reach another node. */
  behind: number
  /** The longest time after its arrival in which a block lacks its events, in milliseconds. */
  eventsLate: number
  /** The largest number of blocks, and of events, in a range that is not refused. */
  largestRange: number
  mostEvents: number
  /** The largest number of events in a single block that is not refused. */
  mostEventsOfBlock: number
  /** The longest time of each way of a call, in milliseconds. The chain can be reorganised between two calls of a poll. */
  latency: number
}

/** Nodes without any fault. */
export const goodNodes: NodeMood = {
  ...{ isDown: false, delay: 0, behind: 0, eventsLate: 0 },
  ...{ largestRange: 1_000, mostEvents: 100, mostEventsOfBlock: 100 },
  latency: 100,
}

/** The events of the simulated chains, through nodes that are late and refuse large ranges. */
export function simulatedEvents(world: {
  time: SimulatedTime
  chains: ReadonlyMap<Chain, SimulatedChain>
  nodes: NodeMood
}): ChainEvents {
  const { time, chains, nodes } = world

  async function goOneWay(deadline: Deadline): Promise<void> {
    await time.sleep(time.between(1, nodes.latency))
    if (time.now() > deadline) throw new IndexerUnavailable('the simulated node is too slow')
  }

  /** The latest block of the node that a call reaches. */
  async function ask(chain: Chain, deadline: Deadline): Promise<SimulatedBlock> {
    await goOneWay(deadline)
    if (nodes.isDown) throw new IndexerUnavailable('the simulated node is down')
    return (chains.get(chain) as SimulatedChain).tipAt(
      time.now() - nodes.delay - time.between(0, nodes.behind),
    )
  }

  return {
    async head(chain, deadline) {
      const tip = await ask(chain, deadline)
      await goOneWay(deadline)
      return hashed(tip)
    },
    async block(chain, number, deadline) {
      const tip = await ask(chain, deadline)
      const block = blockOf(tip, number)
      await goOneWay(deadline)
      return block && hashed(block)
    },
    async events({ chain, contracts, from, to }, deadline) {
      const tip = await ask(chain, deadline)
      if (to - from + 1 > nodes.largestRange) throw new RangeTooLarge('too many blocks')
      const known = time.now() - nodes.delay - time.between(0, nodes.eventsLate)
      const found = lastBlocks(tip, tip.number - from + 1)
        .filter((block) => block.number <= to && block.arrivedAt <= known)
        .flatMap(({ number, hash, events }) =>
          events
            .filter(({ contract }) => contracts.includes(contract))
            .map((event) => ({ ...event, block: { number, hash } })),
        )
      const most = to > from ? nodes.mostEvents : nodes.mostEventsOfBlock
      if (found.length > most) throw new RangeTooLarge('too many events')
      await goOneWay(deadline)
      return found
    },
  }
}

/** Events of chains of which one is silent: each call about it waits until its deadline. */
export const silentOn = (silent: Chain, events: ChainEvents, time: SimulatedTime): ChainEvents => ({
  ...events,
  async head(chain, deadline) {
    if (chain !== silent) return await events.head(chain, deadline)
    await time.sleep(deadline - time.now())
    throw new IndexerUnavailable('the simulated node is silent')
  },
})

const hashed = ({ number, hash, at }: SimulatedBlock): HashedBlock => ({ number, hash, at })
