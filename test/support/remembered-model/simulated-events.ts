import type { Chain } from '../../../lib/domain/chain.ts'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import {
  type ChainEvents,
  type HashedBlock,
  RangeTooLarge,
} from '../../../lib/domain/ports/chain-events.ts'
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
  latency: number
}

/** The events of the simulated chains, through nodes that are late and refuse large ranges. */
export function simulatedEvents(world: {
  time: SimulatedTime
  chains: ReadonlyMap<Chain, SimulatedChain>
  nodes: NodeMood
}): ChainEvents {
  const { time, chains, nodes } = world

  /** The latest block of the node that a call reaches. */
  async function ask(chain: Chain): Promise<SimulatedBlock> {
    await time.sleep(time.between(1, nodes.latency))
    if (nodes.isDown) throw new IndexerUnavailable('the simulated node is down')
    return (chains.get(chain) as SimulatedChain).tipAt(
      time.now() - nodes.delay - time.between(0, nodes.behind),
    )
  }

  return {
    async head(chain) {
      const tip = await ask(chain)
      await time.sleep(time.between(1, nodes.latency))
      return hashed(tip)
    },
    async block(chain, number) {
      const tip = await ask(chain)
      const block = blockOf(tip, number)
      await time.sleep(time.between(1, nodes.latency))
      return block && hashed(block)
    },
    async events({ chain, contracts, from, to }) {
      const tip = await ask(chain)
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
      await time.sleep(time.between(1, nodes.latency))
      return found
    },
  }
}

const hashed = ({ number, hash, at }: SimulatedBlock): HashedBlock => ({ number, hash, at })
