import type { Address } from '../nft/address.ts'
import type { ChainEvent, HashedBlock } from '../ports/chain-events.ts'
import type { FollowedContract, FollowPosition, KnownBlock } from '../ports/follow-notes.ts'
import type { ChosenBlocks } from './choose-blocks.ts'
import { firstOfOverlap } from './known-blocks.ts'

/** Identifies an event in the overlap. 48 bits of a hash distinguish the few blocks of it. */
const keyOf = ({ block, index }: ChainEvent): string => `${block.hash.slice(2, 14)}.${index}`

/**
 * The events that were not noted by an earlier step. Those of a contract that begins to be followed are all noted, because
 * its item, and with it what was noted there, can be lost.
 */
export function newEvents(
  events: readonly ChainEvent[],
  { noted }: ChosenBlocks,
  contracts: readonly FollowedContract[],
): ChainEvent[] {
  const known = new Set(contracts.filter(({ since }) => since).map(({ address }) => address))
  return events.filter(
    (event) => !(known.has(event.contract) && noted[event.contract]?.includes(keyOf(event))),
  )
}

/**
 * Whether the events contradict what is known: a noted event of a contract that was read has vanished, or an event is
 * in a block in whose place another block is known.
 */
export function contradicts(
  events: readonly ChainEvent[],
  { noted, blocks, to }: ChosenBlocks,
  contracts: readonly Address[],
): boolean {
  const hashes = new Map([...blocks, to].map(({ number, hash }) => [number, hash]))
  const isElsewhere = ({ block }: ChainEvent) =>
    (hashes.get(block.number) ?? block.hash) !== block.hash
  const keys = new Set(events.map((event) => `${event.contract} ${keyOf(event)}`))
  const hasVanished = (contract: Address) =>
    noted[contract]?.some((key) => !keys.has(`${contract} ${key}`)) ?? false
  return events.some(isElsewhere) || contracts.some(hasVanished)
}

const before = ({ number: end }: HashedBlock, blocks: readonly KnownBlock[]): KnownBlock[] =>
  blocks.filter(({ number }) => number < end)

/** The first block of the overlap that the next step reads again. */
export const nextFirst = (
  { blocks, to }: Pick<ChosenBlocks, 'blocks' | 'to'>,
  overlapMilliseconds: number,
): KnownBlock => firstOfOverlap([...before(to, blocks), to], to, overlapMilliseconds)

/** The overlap that the next step reads again, and the earlier blocks that it has to compare. */
export function overlapAfter(
  events: readonly ChainEvent[],
  { blocks, to }: ChosenBlocks,
  { overlapMilliseconds, readAt }: { overlapMilliseconds: number; readAt: number },
): FollowPosition['overlap'] {
  const isLast = ({ hash }: KnownBlock) => hash === to.hash
  const last = { ...to, readAt: blocks.find(isLast)?.readAt ?? readAt }
  const known = [...before(to, blocks), last]
  const first = nextFirst({ blocks, to }, overlapMilliseconds)
  const kept = known.filter((block) => block.number >= first.number || block.readAt !== undefined)
  const ofContracts = Object.groupBy(
    events.filter(({ block }) => block.number >= first.number),
    ({ contract }) => contract,
  )
  const byContract = Object.entries(ofContracts).map(([contract, ofContract = []]) => [
    contract,
    ofContract.map(keyOf),
  ])
  return { blocks: kept, events: Object.fromEntries(byContract) }
}
