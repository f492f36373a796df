import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { SuspensionReason } from '../nft-events/nft-event.ts'
import type { ChainEvent, ChainEvents, HashedBlock } from '../ports/chain-events.ts'
import type { ContractChange, FollowedContract, FollowNotes } from '../ports/follow-notes.ts'
import type { WebhookSignals } from '../ports/webhook-delivery.ts'
import type { Deadline } from '../time-budget.ts'
import { addressesOf, isSuspended, suspensionMilliseconds } from './followed-contracts.ts'
import { type KnownStep, logOf, type StepLog } from './log-events.ts'

interface LogPorts {
  chainEvents: ChainEvents
  followNotes: FollowNotes
}

/** Logs the events of a step. `undefined`: another follower was faster. */
export async function logEvents(
  events: readonly ChainEvent[],
  known: KnownStep & { suspended: ReadonlyMap<Address, SuspensionReason> },
  { chain }: { chain: Chain },
  { chainEvents, followNotes }: LogPorts,
  deadline: Deadline,
): Promise<StepLog | undefined> {
  const { chosen, contracts, now, suspended } = known
  const log = logOf({
    ...{ ...known, events },
    replacedFrom: chosen.isReplacedBefore
      ? await replacedFrom(chain, { chainEvents, followNotes }, deadline)
      : undefined,
  })
  await followNotes.log(chain, log.logs)
  if (log.milestone) await followNotes.noteMilestone(chain, log.milestone)
  const changes = contractChanges(contracts, { now, suspended, log })
  return (await followNotes.noteContracts(chain, changes)) ? log : undefined
}

function contractChanges(
  contracts: readonly FollowedContract[],
  step: { now: number; suspended: ReadonlyMap<Address, SuspensionReason>; log: StepLog },
): ContractChange[] {
  const { now, suspended, log } = step
  return contracts.flatMap((from): ContractChange[] => {
    const reason = suspended.get(from.address)
    if (reason) {
      const until = now + suspensionMilliseconds
      return [{ from, suspendedUntil: until, ...(reason === 'refused' && { refusedUntil: until }) }]
    }
    const isLogged = log.logged.has(from.address) || undefined
    if (isLogged === from.isLogged) return []
    const { suspendedUntil, refusedUntil } = from
    return [{ from, isLogged, ...(isSuspended(from, now) && { suspendedUntil, refusedUntil }) }]
  })
}

/** The first block after the latest milestone that is still part of the chain: no block before it was replaced. */
async function replacedFrom(
  chain: Chain,
  { chainEvents, followNotes }: LogPorts,
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
  const pushedAddresses = addressesOf(pushed)
  const logged = logs
    .map(({ contract }) => contract)
    .filter((contract) => pushedAddresses.has(contract))
  if (logged.length > 0) await webhookSignals?.logged(chain, logged)
}
