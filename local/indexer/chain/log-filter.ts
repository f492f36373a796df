import type { Address } from '../../../lib/domain/nft/address.ts'
import { ApiError, addressFrom } from '../api-error.ts'
import type { ChainEvent } from './chain-state.ts'

/** The filter of eth_getLogs. */
export interface LogFilter {
  fromBlock: number
  toBlock: number
  matches(event: ChainEvent): boolean
}

/** Parses the filter of eth_getLogs; both ends of the range are the latest block by default. Throws an {@link ApiError}. */
export function logFilterFrom(value: unknown, latest: number): LogFilter {
  if (typeof value !== 'object' || value === null) throw new ApiError(400, 'a filter is expected')
  const { fromBlock, toBlock, address, topics, blockHash } = value as Record<string, unknown>
  if (blockHash !== undefined) throw new ApiError(400, 'blockHash is not supported')
  const range = {
    fromBlock: blockNumberFrom(fromBlock ?? 'latest', latest),
    toBlock: blockNumberFrom(toBlock ?? 'latest', latest),
  }
  if (range.fromBlock > range.toBlock) throw new ApiError(400, 'invalid block range params')
  const addresses = addressesFrom(address)
  const alternatives = topicsFrom(topics)
  return {
    ...range,
    matches: (event) =>
      (addresses === undefined || addresses.has(event.address)) &&
      alternatives.every(
        (allowed, position) =>
          position < event.topics.length && (allowed?.has(event.topics[position] ?? '') ?? true),
      ),
  }
}

/** Parses the number of a block: hexadecimal, `earliest` or `latest`. Throws an {@link ApiError} 400. */
export function blockNumberFrom(value: unknown, latest: number): number {
  if (value === 'latest') return latest
  if (value === 'earliest') return 0
  if (typeof value === 'string' && /^0x(0|[1-9a-f][0-9a-f]{0,12})$/i.test(value))
    return Number(value)
  throw new ApiError(400, `invalid block number: ${String(value)}`)
}

/** `undefined` for contracts of any address. */
function addressesFrom(value: unknown): Set<Address> | undefined {
  if (value === undefined || value === null) return undefined
  const addresses = [value].flat().map((text) => addressFrom(text, 'address'))
  return addresses.length > 0 ? new Set(addresses) : undefined
}

const maxTopics = 4

/** The alternatives at each position; `undefined` for any topic. */
function topicsFrom(value: unknown): (Set<string> | undefined)[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > maxTopics) throw new ApiError(400, 'invalid topics')
  return value.map((position: unknown) => {
    const topics = position === null ? [] : [position].flat().map(topicFrom)
    return topics.length > 0 ? new Set(topics) : undefined
  })
}

function topicFrom(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)) return value.toLowerCase()
  throw new ApiError(400, `invalid topic: ${String(value)}`)
}
