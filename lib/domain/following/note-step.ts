import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { SuspensionReason } from '../nft-events/nft-event.ts'
import type { ChainEvent, ChainEvents, HashedBlock } from '../ports/chain-events.ts'
import type {
  ContractChange,
  FollowedContract,
  FollowNotes,
  FollowPosition,
  KnownBlock,
} from '../ports/follow-notes.ts'
import type { WebhookSignals } from '../ports/webhook-signals.ts'
import type { Deadline } from '../time-budget.ts'
import { type AskedContracts, addressesOf, isFollowable } from './asked-contracts.ts'
import type { ChosenBlocks } from './choose-blocks.ts'
import { logOf, type StepLog } from './log-events.ts'
import { newEvents } from './overlap.ts'
import { isSuspended } from './suspension.ts'

/** The time for which a suspended contract is not followed, in milliseconds. */
const suspensionMilliseconds = 3_600_000

/** What a step knows before it reads the events. */
export interface KnownStep {
  position: FollowPosition | undefined
  contracts: readonly FollowedContract[]
  chosen: ChosenBlocks
  /** The first block that the next step reads again. */
  next: KnownBlock
  step: number
  now: number
}

/** Notes the events of a step for readers, and logs them. `undefined`: another follower was faster. */
export async function noteEvents(
  events: readonly ChainEvent[],
  {
    asked,
    suspended,
    next,
    step,
    ...known
  }: KnownStep & { asked: AskedContracts; suspended: ReadonlyMap<Address, SuspensionReason> },
  { chain }: { chain: Chain },
  { chainEvents, followNotes }: { chainEvents: ChainEvents; followNotes: FollowNotes },
  deadline: Deadline,
): Promise<StepLog | undefined> {
  const { chosen, contracts, now } = known
  const ofLeased = events.filter(({ contract }) => asked.leased.has(contract))
  await note(chain, newEvents(ofLeased, chosen, contracts), chosen.to, followNotes)
  const log = logOf({
    ...known,
    ...{ events, suspended, next },
    replacedFrom: chosen.isReplacedBefore
      ? await replacedFrom(chain, { chainEvents, followNotes }, deadline)
      : undefined,
  })
  await followNotes.log(chain, log.logs)
  if (log.milestone) await followNotes.noteMilestone(chain, log.milestone)
  const changes = contractChanges(contracts, chosen, { now, suspended, step, log })
  return (await followNotes.noteContracts(chain, changes)) ? log : undefined
}

/** Notes events under the time of the last block that was read with them, which is never before their own time. */
async function note(
  chain: Chain,
  events: readonly ChainEvent[],
  to: HashedBlock,
  followNotes: FollowNotes,
): Promise<void> {
  const movements = new Map<string, { wallet: Address; contract: Address }>()
  const changed = new Set<Address>()
  for (const { contract, wallets } of events) {
    if (wallets.length === 0) changed.add(contract)
    for (const wallet of wallets) movements.set(`${wallet} ${contract}`, { wallet, contract })
  }
  const moved = [...movements.values()].map((each) => ({ ...each, block: to.number, at: to.at }))
  await Promise.all([
    followNotes.noteMovements(chain, moved),
    followNotes.noteMetadata(
      chain,
      [...changed].map((contract) => ({ contract, at: to.at })),
    ),
  ])
}

/** The changes that a step notes of the contracts. */
function contractChanges(
  contracts: readonly FollowedContract[],
  { first, hasGap }: ChosenBlocks,
  {
    now,
    suspended,
    step,
    log,
  }: {
    now: number
    suspended: ReadonlyMap<Address, SuspensionReason>
    step: number
    log: StepLog
  },
): ContractChange[] {
  const since = { number: first.number, at: first.at, step }
  // Readers also rely neither on the last hour of a lease nor on what is older than `distrustedBefore` (D65), so a contract
  // that is not changed here in time misleads none of them.
  return contracts.flatMap((from): ContractChange[] => {
    const reason = suspended.get(from.address)
    if (reason) {
      const until = now + suspensionMilliseconds
      return [{ from, suspendedUntil: until, ...(reason === 'refused' && { refusedUntil: until }) }]
    }
    const isNotedFrom = hasGap ? since : (from.since ?? since)
    const to = {
      since: isFollowable(from, now) ? isNotedFrom : undefined,
      ...(isSuspended(from, now) && {
        suspendedUntil: from.suspendedUntil,
        refusedUntil: from.refusedUntil,
      }),
      isLogged: log.logged.has(from.address) || undefined,
    }
    const isSame = to.since === from.since && to.isLogged === from.isLogged
    return isSame ? [] : [{ from, ...to }]
  })
}

/** The first block after the latest milestone that is still part of the chain: no block before it was replaced. */
async function replacedFrom(
  chain: Chain,
  { chainEvents, followNotes }: { chainEvents: ChainEvents; followNotes: FollowNotes },
  deadline: Deadline,
): Promise<number | undefined> {
  const milestones = await followNotes.milestones(chain)
  let [replaced, kept] = [0, milestones.length]
  while (replaced < kept) {
    const middle = Math.floor((replaced + kept) / 2)
    const { number, hash } = milestones[middle] as HashedBlock
    const block = await chainEvents.block(chain, number, deadline)
    if (block?.hash === hash) kept = middle
    else replaced = middle + 1
  }
  const [latestKept, earliest] = [milestones[kept], milestones.at(-1)]
  return latestKept ? latestKept.number + 1 : earliest?.number
}

/** Tells webhooks of what was logged. */
export async function signal(
  chain: Chain,
  { logs }: StepLog,
  contracts: readonly FollowedContract[],
  { webhookSignals, now }: { webhookSignals: WebhookSignals | undefined; now: number },
): Promise<void> {
  const pushed = contracts.filter(({ pushedUntil = 0 }) => pushedUntil > now)
  const told = addressesOf(pushed)
  const logged = logs.map(({ contract }) => contract).filter((contract) => told.has(contract))
  if (logged.length > 0) await webhookSignals?.logged(chain, logged)
}
