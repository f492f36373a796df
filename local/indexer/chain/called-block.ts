import { ApiError } from '../api-error.ts'
import { hashOf, latestNumber } from './blocks.ts'
import type { ChainCall } from './chain-methods.ts'
import type { ChainState } from './chain-state.ts'
import { blockNumberFrom } from './log-filter.ts'

/**
 * Parses the block of a call, and returns its number: a number, a tag, or an object with the number or the hash (EIP-1898). Throws an
 * {@link ApiError} for a block that the chain does not have.
 */
export function calledBlock(call: ChainCall, value: unknown = 'latest'): number {
  const latest = latestNumber(call.network, call.now)
  const { blockHash, blockNumber = value } = Object(value)
  if (blockHash !== undefined) return numberOf(call, String(blockHash).toLowerCase(), latest)
  const number = blockNumberFrom(blockNumber, latest)
  if (number > latest) throw notFound()
  return number
}

/** The blocks in which a hash is looked for, from the latest one backwards: hashes are not stored. */
const maxAge = 10_000

/** The numbers of the hashes that were found, for the chain of each world. */
const found = new WeakMap<ChainState, Map<string, number>>()

function numberOf({ world, network }: ChainCall, hash: string, latest: number): number {
  const known = found.get(world[network].chain) ?? new Map<string, number>()
  found.set(world[network].chain, known)
  let number = known.get(hash) ?? latest
  const last = known.has(hash) ? number : Math.max(0, latest - maxAge)
  // A block that was found before can be replaced since.
  while (number >= last && hashOf(world, network, number) !== hash) number -= 1
  if (number < last || number > latest) throw notFound()
  known.set(hash, number)
  return number
}

/** What Geth says of a block that it does not have. */
const notFound = () => new ApiError(200, 'header not found', -32000)
