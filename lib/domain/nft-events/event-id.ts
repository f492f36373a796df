import { keccak_256 } from '@noble/hashes/sha3.js'
import type { NftEvent } from './nft-event.ts'

/** The id of an event: always the same, and another one if another block has taken the place of its block. */
export function eventIdOf(event: NftEvent): string {
  const digest = Buffer.from(keccak_256(Buffer.from(JSON.stringify(identityOf(event))))).toString(
    'base64url',
  )
  return `evt_${digest.slice(0, 27)}`
}

function identityOf({ chain, contract, block, logIndex, place, content }: NftEvent): unknown[] {
  const ofBlock = [chain, contract, block.number, block.hash, logIndex, place]
  if (content.kind !== 'missed') return ofBlock
  const { reason, fromBlock, toBlock } = content
  // More has expired when it is told again; the time is that up to which the reader has seen all.
  if (reason === 'expired') return [chain, contract, reason, fromBlock, block.at]
  return [...ofBlock, reason, fromBlock, toBlock]
}
