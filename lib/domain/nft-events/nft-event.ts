import { keccak_256 } from '@noble/hashes/sha3.js'
import type { TokenId } from '../allowlist/token-id.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'

/** NFTs of a contract that changed hands in one event of the chain. */
export interface Transfer {
  kind: 'transfer'
  /** `null`: the NFTs were minted. */
  from: Address | null
  /** `null`: the NFTs were burned. */
  to: Address | null
  /** In the order of the event. The amount is decimal text; that of ERC-721 is 1. */
  tokens: readonly { tokenId: TokenId; amount: string }[]
  /** In place of tokens, the NFTs of an event that names the first and the last of them (ERC-2309). No log has it. */
  range?: { fromTokenId: TokenId; toTokenId: TokenId } | undefined
}

/** NFTs of a contract whose metadata may be new (ERC-4906): from one identifier to another, both included. */
export interface MetadataChange {
  kind: 'metadata'
  fromTokenId: TokenId
  toTokenId: TokenId
}

export type EventContent = Transfer | MetadataChange

/** Why a contract is not followed for an hour: it had too many events, or the source refused to tell them (D139). */
export type SuspensionReason = 'busy' | 'refused'

/**
 * Why events are not known (D117): nobody has read the blocks; the contract is suspended; the blocks were replaced
 * after their events had been logged; what the contract has emitted is not of the standard; or they are not kept any more.
 */
export type MissedReason = SuspensionReason | 'gap' | 'reorganization' | 'malformed' | 'expired'

/** Blocks of whose events some can be missing in the log of a contract. */
export interface Missed {
  kind: 'missed'
  reason: MissedReason
  /** Absent if it is not known: then everything before that a reader has not seen yet. */
  fromBlock?: number | undefined
  toBlock: number
}

/** An entry of the log of a contract (D117). */
export interface LogEntry {
  /** The block with its time in milliseconds since 1970. That of missed events is the block before which they are told. */
  block: { number: number; hash: string; at: number }
  /** The index of the event in its block; absent for missed events. */
  logIndex?: number | undefined
  transactionHash?: string | undefined
  content: EventContent | Missed
}

/** An event of a contract of a product (D119). */
export interface NftEvent {
  chain: Chain
  contract: Address
  block: LogEntry['block']
  logIndex?: number | undefined
  /** The place of the NFT in its transfer. */
  place: number
  transactionHash?: string | undefined
  content: NftTransfer | MetadataChange | Missed
}

/** One NFT that changed hands. */
type NftTransfer = Omit<Transfer, 'tokens' | 'range'> & Transfer['tokens'][number]

/** A place in the log of a contract: before a block, or an event in it and, from a place on, the NFTs that it moves. */
export interface LogPlace {
  block: number
  /** Absent for missed events, which come before the events of the block. */
  logIndex?: number | undefined
  place?: number | undefined
}

/** Orders places in the logs of a chain. */
export const compareLogPlaces = (a: LogPlace, b: LogPlace): number =>
  a.block - b.block || (a.logIndex ?? -1) - (b.logIndex ?? -1) || (a.place ?? 0) - (b.place ?? 0)

/** How long the log of a contract keeps an entry, in milliseconds: seven days. */
export const logRetentionMilliseconds = 7 * 86_400_000

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
