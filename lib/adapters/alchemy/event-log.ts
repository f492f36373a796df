import { type Address, toAddress } from '../../domain/nft/address.ts'
import type { ChainEvent, EventQuery, HashedBlock } from '../../domain/ports/chain-events.ts'
import { unverified } from '../../json/unverified.ts'
import { contentOf, standardOf } from './event-details.ts'
import { malformedResponse } from './malformed-response.ts'

/**
 * The first topics of the events that count, each the Keccak-256 hash of a signature: `Transfer(address,address,uint256)`
 * of ERC-721, `ConsecutiveTransfer(uint256,uint256,address,address)` of ERC-2309, `TransferSingle(address,address,address,uint256,uint256)` and
 * `TransferBatch(address,address,address,uint256[],uint256[])` of ERC-1155, `MetadataUpdate(uint256)` and
 * `BatchMetadataUpdate(uint256,uint256)` of ERC-4906.
 */
const topics = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  consecutiveTransfer: '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d',
  transferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  transferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  metadataUpdate: '0xf8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7',
  batchMetadataUpdate: '0x6bd5c950a8d8df17f772f5af37cb3655737899cbf903264b9795592da439661c',
}

const names = Object.keys(topics) as (keyof typeof topics)[]

/** The first topics that a query of the event log asks for. */
export const eventTopics: readonly string[] = Object.values(topics)

/** The block in the answer of `eth_getBlockByNumber`. Throws IndexerUnavailable. */
export function blockIn(answer: unknown): HashedBlock {
  const { number, hash, timestamp } = unverified(answer)
  return { number: quantity(number), hash: hashOf(hash), at: timeOf(timestamp) }
}

/**
 * The events of NFT standards in the answer of `eth_getLogs`. The transfers of ERC-20 tokens, which have the first topic
 * of ERC-721 and three topics in all, are left out. Throws IndexerUnavailable for an answer that is no event log.
 */
export function eventsIn(answer: unknown, query: Omit<EventQuery, 'chain'>): ChainEvent[] {
  if (!Array.isArray(answer)) throw malformedResponse('no event log')
  const contracts = new Set(query.contracts)
  return answer.flatMap((log: unknown) => {
    const event = eventIn(log)
    if (!event) return []
    const { contract, block } = event
    if (!contracts.has(contract) || block.number < query.from || block.number > query.to) {
      throw malformedResponse('an event that was not asked for')
    }
    return [event]
  })
}

function eventIn(log: unknown): ChainEvent | undefined {
  const { address, topics: logTopics, data, logIndex, transactionHash, removed } = unverified(log)
  const { blockNumber, blockHash, blockTimestamp } = unverified(log)
  // Only subscriptions announce removed events.
  if (!Array.isArray(logTopics) || removed === true) {
    throw malformedResponse('an entry that is no event')
  }
  const [first, ...indexed] = logTopics as readonly unknown[]
  const name = names.find((each) => topics[each] === first)
  if (!name) throw malformedResponse('an event that was not asked for')
  if (name === 'transfer' && indexed.length === 2) return undefined
  const block = { number: quantity(blockNumber), hash: hashOf(blockHash) }
  return {
    contract: addressOf(address),
    block: { ...block, at: statedTime(blockTimestamp) },
    index: quantity(logIndex),
    details: {
      transactionHash: hashOf(transactionHash),
      standard: standardOf(name),
      content: contentOf(name, indexed.map(hashOf), data),
    },
  }
}

function addressOf(text: unknown): Address {
  if (typeof text === 'string' && /^0x[0-9a-fA-F]{40}$/.test(text)) {
    return toAddress(text.toLowerCase())
  }
  throw malformedResponse('not an address')
}

function hashOf(text: unknown): string {
  if (typeof text === 'string' && /^0x[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase()
  throw malformedResponse('not 32 bytes')
}

/** A time in seconds since 1970, as milliseconds that a number represents exactly. */
function timeOf(text: unknown): number {
  const milliseconds = quantity(text) * 1_000
  if (Number.isSafeInteger(milliseconds)) return milliseconds
  throw malformedResponse('not a time')
}

/** The time that a log states of its block, in milliseconds since 1970 (execution-apis, #639). Many nodes state none. */
const statedTime = (text: unknown): number | undefined =>
  typeof text === 'string' && /^0x[0-9a-fA-F]{1,11}$/.test(text) ? Number(text) * 1_000 : undefined

/** A number in hexadecimal, below 2^52. */
function quantity(text: unknown): number {
  if (typeof text === 'string' && /^0x[0-9a-fA-F]{1,13}$/.test(text)) return Number(text)
  throw malformedResponse('not a number')
}
