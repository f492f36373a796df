import { createHash } from 'node:crypto'
import { chains, coveredChains } from '../../../lib/domain/nft/chain.ts'
import type { Network, World } from '../world.ts'

/** A block, without its transactions. */
interface Block {
  number: number
  /** 32 bytes in hexadecimal. */
  hash: string
  parentHash: string
  /** Whole seconds since 1970. */
  timestamp: number
}

const blockMilliseconds = new Map<Network, number>(
  coveredChains.map((chain) => [chains[chain].network, chains[chain].blockSeconds * 1000]),
)

/** Returns the milliseconds between two blocks of a network. */
const millisecondsOf = (network: Network): number => blockMilliseconds.get(network) as number

/** Returns the number of the latest block at a time in milliseconds since 1970. Block 0 is of 1970. */
export const latestNumber = (network: Network, now: number): number =>
  Math.floor(now / millisecondsOf(network))

/** Returns the time of a block, in milliseconds since 1970. */
const blockTime = (network: Network, number: number): number => number * millisecondsOf(network)

/** Returns the block of a number. Its hash depends only on the genesis of the world, the network and the number. */
export function blockOf(world: World, network: Network, number: number): Block {
  return {
    number,
    hash: hashOf(world, network, number),
    parentHash: number === 0 ? `0x${'0'.repeat(64)}` : hashOf(world, network, number - 1),
    timestamp: Math.floor(blockTime(network, number) / 1000),
  }
}

/** Returns the hash of a block. */
export function hashOf(world: World, network: Network, number: number): string {
  const content = `${world[network].chain.genesis}/${network}/${number}`
  return `0x${createHash('sha256').update(content).digest('hex')}`
}
