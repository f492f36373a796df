import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { NftStandard } from '../../../lib/domain/nft/nft.ts'
import {
  type ChainEvent,
  type ChainEvents,
  RangeTooLarge,
} from '../../../lib/domain/ports/chain-events.ts'
import { emptyTable } from '../../../simulation/followed-table.ts'
import { emptyKeptTable } from '../../../simulation/kept-table.ts'
import { type SimulatedTime, simulatedTime } from '../../../simulation/simulated-time.ts'
import { blockOf, contract, headAt, type ModelBlock, modelChain } from './kept-chain.ts'
import type { ReadPasses } from './read-pages.ts'

export const chain: Chain = 'POLYGON'

/** The time at the end of a history in which nothing fails and the chain has no events, in seconds. */
const calmSeconds = 120

export const settlingSeconds = 15

export type KeptWorld = ReturnType<typeof keptWorld>

/** What can happen in a history, how often, by its seed. Times are in seconds. */
function someOptions(time: SimulatedTime) {
  const { random } = time
  const oneIn = (count: number, value: number) => (time.isOneOf(count) ? value : 0)
  const far = oneIn(8, 0.12)
  return {
    standard: (time.isOneOf(2) ? 'ERC721' : 'ERC1155') as NftStandard,
    busy: 0.1 + random() * 0.5,
    reorganizations: oneIn(2, 0.02 + random() * 0.06),
    // When a node that is behind compares a block, a deep reorganization can hide (D152).
    deep: far > 0 ? 0 : oneIn(5, 0.3),
    /** The share of calls that reach a node that is up to 40 seconds behind. */
    far,
    /** Whether the source takes ranges of ten blocks only. */
    isSplit: time.isOneOf(6),
    /** The shares of writes at which a follower is killed, or stalls. */
    crash: oneIn(2, 0.03),
    stall: oneIn(2, 0.03),
    /** The port call at which followers stall most. */
    stallAt: time.isOneOf(6) ? time.pick(['kept list', 'kept contract', 'moveTo']) : undefined,
    throttle: oneIn(5, 0.1),
    /** Whether followers poll every second and not every five. */
    isShort: time.isOneOf(6),
    /** The share of reads that can be slow. */
    slow: 0.15,
    /** Whether snapshots are taken as the work queue does; otherwise they are right at once. And whether also while one is in use. */
    takes: time.isOneOf(3),
    renews: time.isOneOf(6),
    seconds: 330,
  }
}

export type KeptOptions = ReturnType<typeof someOptions>

export function keptWorld(seed: number, options: Partial<KeptOptions> = {}) {
  const time = simulatedTime(seed)
  const all = { ...someOptions(time), ...options }
  if (all.takes && options.seconds === undefined) all.seconds = 660
  const start = time.now()
  const overlap = settlingSeconds + (all.isShort ? 1 : 5) + 30
  const model = modelChain(time, start, { ...all, overlap, quietSeconds: calmSeconds + 30 })
  const end = start + all.seconds * 1_000
  const calmFrom = end - calmSeconds * 1_000
  return {
    ...{ time, start, options: all, model, end },
    /** When nothing fails any more. */
    calmFrom,
    ...{ followed: emptyTable(), kept: emptyKeptTable(), passes: new Map() as ReadPasses },
    /** Ends the history with a defect. */
    fail: (_error: unknown): void => undefined,
  }
}

/** The time of one way of a call, in milliseconds. */
export const latency = ({ time }: KeptWorld): Promise<void> => time.sleep(time.between(5, 80))

/** The latest block of the node that a call reaches. */
export function nodeHead({ time, options, model, calmFrom }: KeptWorld): ModelBlock {
  const { random, now } = time
  const isFar = now() < calmFrom && random() < options.far
  const behind = isFar ? random() * 40 : random() < 0.6 ? random() * 0.5 : random() * 4.5
  return headAt(model, now() - behind * 1_000)
}

/** The events of the chain, through nodes of which some are behind. */
export function modelEvents(world: KeptWorld): ChainEvents {
  const { options } = world
  async function ask(): Promise<ModelBlock> {
    await latency(world)
    if (world.time.now() < world.calmFrom && world.time.random() < 0.003) {
      throw new IndexerUnavailable('the node does not answer')
    }
    return nodeHead(world)
  }
  const hashed = ({ number, hash, at }: ModelBlock) => ({ number, hash, at })
  return {
    async head() {
      const head = await ask()
      await latency(world)
      return hashed(head)
    },
    async block(_chain, number) {
      const block = blockOf(await ask(), number)
      await latency(world)
      return block && hashed(block)
    },
    async events({ contracts, from, to }) {
      const head = await ask()
      if (options.isSplit && to - from >= 10) throw new RangeTooLarge('up to a 10 block range')
      await latency(world)
      return contracts.includes(contract) ? eventsBetween(head, from, to) : []
    },
  }
}

function eventsBetween(head: ModelBlock, from: number, to: number): ChainEvent[] {
  const found: ChainEvent[][] = []
  for (
    let block: ModelBlock | undefined = head;
    block && block.number >= from;
    block = block.parent
  ) {
    if (block.number > to) continue
    const { number, hash, events } = block
    found.push(
      events.map(({ index, standard, content }) => ({
        ...{ contract, index, block: { number, hash } },
        details: { transactionHash: hash, standard, content },
      })),
    )
  }
  return found.reverse().flat()
}
