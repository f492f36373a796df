import type { Address } from '../nft/address.ts'
import type { EventContent, LogEntry, Missed, SuspensionReason } from '../nft-events/nft-event.ts'
import type { Block, ChainEvent, HashedBlock } from '../ports/chain-events.ts'
import type {
  ContractLog,
  FollowedContract,
  FollowPosition,
  KnownBlock,
  LogPosition,
} from '../ports/follow-notes.ts'
import type { ChosenBlocks } from './choose-blocks.ts'
import { isSuspended, isWatched, suspensionOf } from './followed-contracts.ts'

const milestoneMilliseconds = 600_000

/** What a step knows before it reads the events. */
export interface KnownStep {
  position: FollowPosition | undefined
  contracts: readonly FollowedContract[]
  chosen: ChosenBlocks
  next: KnownBlock
  step: number
  now: number
}

interface ReadStep extends KnownStep {
  events: readonly ChainEvent[]
  suspended: ReadonlyMap<Address, SuspensionReason>
  /** The first block that was replaced after its events had been logged, if the step has found it out. */
  replacedFrom: number | undefined
}

/** What a step logs (D117). */
export interface StepLog {
  logs: ContractLog[]
  /** The contracts that are logged from now on. */
  logged: ReadonlySet<Address>
  position?: LogPosition
  milestone?: HashedBlock
}

interface LoggedBlocks {
  start: number
  upTo: number
  before: Block | undefined
  /** Whether nothing is between the blocks that were logged before and these. */
  continues: boolean
}

/** What a step logs: the events that leave the overlap, and the blocks of which some can be missing. Repeatable. */
export function logOf(step: ReadStep): StepLog {
  const { next, contracts, suspended, now } = step
  const watched = contracts.filter((contract) => isWatched(contract, now))
  if (watched.length === 0) return { logs: [], logged: new Set() }
  const blocks = blocksOf(step)
  const { before, start } = blocks
  const ofContract = Map.groupBy(step.events, ({ contract }) => contract)
  const logs = watched.map((contract) => ({
    contract: contract.address,
    entries: [
      ...missedOf(contract, step, blocks).map((content) => ({
        block: blockToTell(content, step.chosen, start),
        content,
      })),
      ...entriesOf(ofContract.get(contract.address) ?? [], step.chosen, blocks),
    ],
  }))
  const logged = watched.filter((each) => !suspended.has(each.address) && !isSuspended(each, now))
  const isDue = !before || milestoneOf(before) < milestoneOf(next)
  return {
    logs: logs.filter(({ entries }) => entries.length > 0),
    logged: new Set(logged.map(({ address }) => address)),
    position: {
      loggedUpTo: { number: blocks.upTo, at: next.at },
      contracts: watched.length,
      seen: Object.fromEntries(logged.flatMap((each) => seenOf(each, ofContract, step, blocks))),
    },
    ...(isDue && { milestone: next }),
  }
}

/**
 * The unlogged blocks of the events of a contract, with as many events as any poll has seen, while no block is known to
 * be replaced.
 */
function seenOf(
  { address }: FollowedContract,
  ofContract: ReadonlyMap<Address, readonly ChainEvent[]>,
  { chosen: { endsTrust }, position }: ReadStep,
  { upTo }: LoggedBlocks,
): [Address, number[]][] {
  const numbers = (ofContract.get(address) ?? []).map(({ block }) => block.number)
  const earlier = endsTrust ? [] : (position?.log?.seen[address] ?? [])
  const [now, before] = [Map.groupBy(numbers, identity), Map.groupBy(earlier, identity)]
  const seen = [...new Set([...now.keys(), ...before.keys()])]
    .filter((number) => number > upTo)
    .flatMap((number) => {
      const [ofNow, ofBefore] = [now.get(number) ?? [], before.get(number) ?? []]
      return ofNow.length < ofBefore.length ? ofBefore : ofNow
    })
  return seen.length > 0 ? [[address, seen]] : []
}

const identity = (number: number): number => number

function blocksOf({ chosen: { first, hasGap }, next, position }: ReadStep): LoggedBlocks {
  const before = position?.log?.loggedUpTo
  const continues = before !== undefined && !hasGap && first.number <= before.number + 1
  const start = continues ? before.number + 1 : first.number
  return { start, upTo: Math.max(start, next.number) - 1, before, continues }
}

const milestoneOf = ({ at }: { at: number }): number => Math.floor(at / milestoneMilliseconds)

/** The blocks of a contract of which events can be missing, if a step has found out about some. */
function missedOf(
  contract: FollowedContract,
  { chosen, suspended, now, replacedFrom, position, events }: ReadStep,
  { start, upTo, before, continues }: LoggedBlocks,
): Missed[] {
  const { address, isLogged, suspendedUntil } = contract
  // Also of a contract that is not logged now: it may have been when the blocks were.
  const replaced =
    continues && chosen.isReplacedBefore ? [missing('reorganization', start - 1, replacedFrom)] : []
  const wasLogged = continues && isLogged === true
  const suspension = suspended.get(address)
  if (suspension) {
    return [...replaced, missing(suspension, chosen.to.number, wasLogged ? start : undefined)]
  }
  if (isSuspended(contract, now)) return replaced
  if (!wasLogged) {
    const from = isLogged && before ? before.number + 1 : undefined
    const reason = suspendedUntil === undefined ? 'gap' : suspensionOf(contract)
    return [...replaced, missing(reason, start - 1, from)]
  }
  const isIn = (number: number) => number >= start && number <= upTo
  const seen = position?.log?.seen[address]?.filter(isIn) ?? []
  const found = events.filter((event) => event.contract === address && isIn(event.block.number))
  // Earlier polls have seen more: a node that is behind has answered, or one of another branch.
  const isLess = found.length < seen.length
  return isLess ? [missing('reorganization', upTo, start)] : replaced
}

/**
 * The block before which missed events are told: no reader has read so far, and it has the time of the last missed
 * block.
 */
const blockToTell = (
  { toBlock }: Missed,
  { first, to }: ChosenBlocks,
  start: number,
): LogEntry['block'] =>
  toBlock < start ? { ...first, number: start } : { ...to, number: toBlock + 1 }

const entriesOf = (
  events: readonly ChainEvent[],
  chosen: ChosenBlocks,
  { start, upTo }: LoggedBlocks,
): LogEntry[] =>
  events
    .filter(({ block: { number } }) => number >= start && number <= upTo)
    .flatMap((event) => entryOf(event, chosen))

const missing = (reason: Missed['reason'], toBlock: number, fromBlock?: number): Missed => ({
  kind: 'missed',
  reason,
  toBlock,
  fromBlock,
})

/** The entry of an event; none of a batch without NFTs. */
function entryOf({ block, index, details }: ChainEvent, chosen: ChosenBlocks): LogEntry[] {
  const { number } = block
  const content = details.content ?? missing('malformed', number, number)
  if (isEmpty(content)) return []
  const { transactionHash } = details
  return [
    { block: { ...block, at: timeOf(block, chosen) }, logIndex: index, transactionHash, content },
  ]
}

const isEmpty = (content: EventContent | Missed): boolean =>
  content.kind === 'transfer' && content.tokens.length === 0

/**
 * The time that the source states with an event, if it is between those of the known blocks around it; else that of the
 * next known block.
 */
export function timeOf(
  { number, at }: ChainEvent['block'],
  { blocks, to }: Pick<ChosenBlocks, 'blocks' | 'to'>,
): number {
  const known = [...blocks, to]
  const earliest = known.findLast((block) => block.number <= number)?.at ?? 0
  const latest = known.find((block) => block.number >= number)?.at ?? to.at
  return at !== undefined && at >= earliest && at <= latest ? at : latest
}
