import { ApiError } from '../api-error.ts'
import type { Network, World } from '../world.ts'
import { blockOf, hashOf, latestNumber } from './blocks.ts'
import type { ChainEvent } from './chain-state.ts'
import { blockNumberFrom, type LogFilter, logFilterFrom } from './log-filter.ts'

/** A call about a chain. */
export interface ChainCall {
  world: World
  network: Network
  /** Milliseconds since 1970. */
  now: number
}

/** `eth_blockNumber`: the number of the latest block. */
export const blockNumber = ({ network, now }: ChainCall) => quantity(latestNumber(network, now))

/**
 * `eth_getBlockByNumber`: number, hash, parent hash and time of a block, or `null` if there is no such block yet.
 * Answers do not have the transactions.
 */
export function getBlockByNumber(call: ChainCall, [tag]: readonly unknown[]) {
  const latest = latestNumber(call.network, call.now)
  const number = blockNumberFrom(tag, latest)
  if (number > latest) return null
  const { hash, parentHash, timestamp } = blockOf(call.world, call.network, number)
  return { number: quantity(number), hash, parentHash, timestamp: quantity(timestamp) }
}

/**
 * `eth_getLogs`: the events in a range of blocks, in the order of the chain. A range that ends after the latest block is
 * cut off there. A range or an answer that is too large is an error with Alchemy's code and words.
 */
export function getLogs(call: ChainCall, [value]: readonly unknown[]) {
  const { network, now, world } = call
  const filter = logFilterFrom(value, latestNumber(network, now))
  checkRange(filter, maxRangeOf(network))
  const found = visibleEvents(call, filter).filter(([event]) => filter.matches(event))
  checkCount(filter, found)
  return found.map(([event, index]) => ({
    address: event.address,
    topics: event.topics,
    data: event.data,
    blockNumber: quantity(event.block),
    blockHash: hashOf(world, network, event.block),
    transactionHash: event.transactionHash,
    transactionIndex: quantity(index),
    logIndex: quantity(index),
    removed: false,
  }))
}

/** Returns the events of the range that the node has, each with its index in its block. */
function visibleEvents(
  { world, network, now }: ChainCall,
  { fromBlock, toBlock }: LogFilter,
): [event: ChainEvent, index: number][] {
  const { events } = world[network].chain
  const visible: [ChainEvent, number][] = []
  const latest = latestNumber(network, now)
  const start = events.findLastIndex(({ block }) => block < fromBlock) + 1
  let index = 0
  for (let at = start; at < events.length; at++) {
    const event = events[at] as ChainEvent
    if (event.block > Math.min(toBlock, latest)) break
    index = event.block === events[at - 1]?.block ? index + 1 : 0
    visible.push([event, index])
  }
  return visible
}

/**
 * The most blocks of a range on the plan "pay as you go", as of June 2026.
 * https://www.alchemy.com/docs/chains/ethereum/ethereum-api-endpoints/eth-get-logs
 */
function maxRangeOf(network: Network): number {
  if (/^(eth|base|opt|arb)-/.test(network)) return Number.POSITIVE_INFINITY
  return network.startsWith('polygon-') ? 2_000 : 10_000
}

function checkRange({ fromBlock, toBlock }: LogFilter, maxBlocks: number): void {
  if (toBlock - fromBlock < maxBlocks) return
  const range = `You can make eth_getLogs requests with up to a ${maxBlocks} block range.`
  const works = rangeText(fromBlock, fromBlock + maxBlocks - 1)
  const message = `${range} Based on your parameters, this block range should work: ${works}`
  throw new ApiError(400, message, -32600)
}

const maxLogs = 10_000

/** Alchemy sends this error, unlike others, with status 200. */
function checkCount({ fromBlock }: LogFilter, found: readonly [ChainEvent, number][]): void {
  const excess = found[maxLogs]?.[0]
  if (!excess) return
  const limits =
    'You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response.'
  const works = rangeText(fromBlock, Math.max(fromBlock, excess.block - 1))
  const advice = `Based on your parameters and the response size limit, this block range should work: ${works}`
  throw new ApiError(200, `Log response size exceeded. ${limits} ${advice}`, -32602)
}

const rangeText = (first: number, last: number): string => `[${quantity(first)}, ${quantity(last)}]`

/** Returns a number as JSON-RPC does: hexadecimal without leading zeros. */
const quantity = (value: number): string => `0x${value.toString(16)}`
