import type { Address } from '../nft/address.ts'
import type { ChainEvent } from '../ports/chain-events.ts'
import type { FollowedContract, FollowPosition, KnownBlock } from '../ports/follow-notes.ts'
import { maxEvents, type RangeRead } from './chain-range.ts'
import type { ChosenBlocks } from './choose-blocks.ts'
import { firstOfOverlap } from './known-blocks.ts'

/** The contracts that a step suspends. */
export function tooBusy(
  { events, refused }: RangeRead,
  { first, to }: ChosenBlocks,
  logsPerMinute: number,
): Set<Address> {
  const counts = new Map<Address, number>()
  for (const { contract } of events) counts.set(contract, (counts.get(contract) ?? 0) + 1)
  const minutes = Math.max(1, (to.at - first.at) / 60_000)
  const busy = new Set(refused)
  let total = events.length
  for (const [contract, count] of [...counts].sort(([, one], [, other]) => other - one)) {
    if (count <= logsPerMinute * minutes && total <= maxEvents) break
    busy.add(contract)
    total -= count
  }
  return busy
}

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

/** The overlap that the next step reads again, and the earlier blocks that it has to compare. */
export function overlapAfter(
  events: readonly ChainEvent[],
  { blocks, to }: ChosenBlocks,
  { overlapMilliseconds, readAt }: { overlapMilliseconds: number; readAt: number },
): FollowPosition['overlap'] {
  const isLast = ({ hash }: KnownBlock) => hash === to.hash
  const last = { ...to, readAt: blocks.find(isLast)?.readAt ?? readAt }
  const known = [...blocks.filter(({ number }) => number < to.number), last]
  const first = firstOfOverlap(known, to, overlapMilliseconds)
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
