import { keccak_256 } from '@noble/hashes/sha3.js'
import type { NftEvent } from './nft-event.ts'

/** The id of an event: always the same, and another one if another block has taken the place of its block. */
export function eventIdOf(event: NftEvent): string {
  const { chain, contract, block, logIndex, place, content } = event
  const missed =
    content.kind === 'missed' ? [content.reason, content.fromBlock, content.toBlock] : []
  const identity = [chain, contract, block.number, block.hash, logIndex, place, ...missed]
  const digest = Buffer.from(keccak_256(Buffer.from(JSON.stringify(identity)))).toString(
    'base64url',
  )
  return `evt_${digest.slice(0, 27)}`
}
