import { createHash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Collection, Network, World } from '../world.ts'
import { latestNumber } from './blocks.ts'
import type { ChainEvent, Movement } from './chain-state.ts'

/** Returns the first topic of an event: the hash of its signature. */
const topicOf = (signature: string): string =>
  `0x${Buffer.from(keccak_256(new TextEncoder().encode(signature))).toString('hex')}`

/** The first topics of the events that the indexer has (ERC-721, ERC-1155). */
const eventTopics = {
  Transfer: topicOf('Transfer(address,address,uint256)'),
  TransferSingle: topicOf('TransferSingle(address,address,address,uint256,uint256)'),
}

type Arguments = Pick<ChainEvent, 'topics' | 'data'>

/** Encodes one movement of a token: `Transfer` of an ERC-721 contract, `TransferSingle` of an ERC-1155 contract. */
export function transferEvent(tokenType: Collection['tokenType'], moved: Movement): Arguments {
  const { tokenId, amount } = moved
  if (tokenType === 'ERC721') {
    const topics = [eventTopics.Transfer, ...partiesOf(moved), hex(word(tokenId))]
    return { topics, data: '0x' }
  }
  const topics = [eventTopics.TransferSingle, operatorOf(moved), ...partiesOf(moved)]
  return { topics, data: hex(word(tokenId), word(amount)) }
}

/**
 * Adds an event to the block after the latest one, because no block changes after it exists. `now` is in milliseconds
 * since 1970.
 */
export function logEvent(
  world: World,
  place: { network: Network; address: Address },
  event: Omit<ChainEvent, 'block' | 'address' | 'transactionHash'>,
  now: number,
): void {
  const { network, address } = place
  const { chain } = world[network]
  const transaction = createHash('sha256').update(`${network}/transaction/${chain.transactions}`)
  chain.transactions += 1
  const block = latestNumber(network, now) + 1
  // A test may have set its clock back.
  const position = chain.events.findLastIndex((earlier) => earlier.block <= block) + 1
  chain.events.splice(position, 0, {
    ...event,
    block,
    address,
    transactionHash: hex(transaction.digest('hex')),
  })
}

/** Returns a number in the 32 bytes of the EVM, as hexadecimal digits. */
const word = (value: string | number | bigint): string =>
  BigInt(value).toString(16).padStart(64, '0')

const hex = (...digits: string[]): string => `0x${digits.join('')}`

const addressTopic = (address: Address | undefined): string => hex(word(address ?? 0))

const partiesOf = ({ from, to }: Pick<Movement, 'from' | 'to'>): string[] => [
  addressTopic(from),
  addressTopic(to),
]

/** The account that sent the transaction, which is the owner in this world. */
const operatorOf = ({ from, to }: Pick<Movement, 'from' | 'to'>): string => addressTopic(from ?? to)
