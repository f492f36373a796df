import type { RangeRead, RangeReader } from '../following/chain-range.ts'
import {
  hasBegun,
  isLetGo,
  isRefused,
  type KeptContract,
  type SettlingPosition,
} from '../holdings/kept-contract.ts'
import type { Address } from '../nft/address.ts'
import { type Chain, chains } from '../nft/chain.ts'
import type { SuspensionReason } from '../nft-events/nft-event.ts'
import type { ChainEvents, HashedBlock } from '../ports/chain-events.ts'
import type { Deadline } from '../time-budget.ts'
import {
  type KeepPlan,
  type KeepPorts,
  type KeepStep,
  noteLacking,
  planKeeping,
  writeKeeping,
} from './keep-step.ts'
import { type BlockAt, polledContracts } from './polled-contract.ts'
import { readKeptEvents, sharedRange } from './read-kept-events.ts'

/** How long the events of a contract may not settle, in seconds: after it, their blocks are not read any more. */
const longestUnsettledSeconds = 3_600

/** What a step of the follower of a chain does about kept contracts. */
export interface StepKeeping {
  /** The contracts whose events the step reads with those of others. */
  addresses: readonly Address[]
  from: number
  /** Decides what events mean, and reads those of contracts whose events begin earlier. Throws IndexerUnavailable. */
  plan(
    shared: RangeRead,
    read: { askedAt: number; suspended: ReadonlyMap<Address, SuspensionReason> },
  ): Promise<KeepPlan>
  /** Writes what a plan says but for the position, which comes after it. `false`: another follower was faster. */
  write(plan: KeepPlan): Promise<boolean>
}

/** Begins what a step does about kept contracts. `suspended`: those that it does not ask about, whose snapshots end. */
export function stepKeeping(
  contracts: readonly KeptContract[],
  step: Omit<KeepStep, 'blockAt' | 'contracts'> & {
    suspended: ReadonlyMap<Address, SuspensionReason>
    ranges: RangeReader
    deadline: Deadline
  },
  ports: KeepPorts & { chainEvents: Pick<ChainEvents, 'block'> },
): StepKeeping {
  const { chain, chosen, ranges, deadline } = step
  const { first, to, hasGap } = chosen
  const settling = hasGap ? undefined : step.settling
  const isAsked = (contract: KeptContract) =>
    !step.suspended.has(contract.address) &&
    !isLetGo(contract) &&
    (hasBegun(contract) || !isRefused(contract, step.now))
  const polled = polledContracts(
    contracts.filter((contract) => isAsked(contract) || hasBegun(contract)),
    { settling, first, earliest: to.number - longestUnsettledSeconds / chains[chain].blockSeconds },
  )
  const from = Math.min(first.number, (settling?.declaredBefore ?? first).number + 1)
  const range = sharedRange(
    polled.filter(({ contract }) => isAsked(contract)),
    from,
  )
  const keepStep = { ...step, contracts, blockAt: blocksOf(chain, ports.chainEvents, deadline) }
  return {
    addresses: range.together.map(({ contract }) => contract.address),
    from,
    async plan(shared, { askedAt, suspended }) {
      const answer = await readKeptEvents(
        range,
        shared,
        { to: to.number, askedAt, clock: step.clock },
        ranges,
        deadline,
      )
      const left = new Map([...step.suspended, ...suspended, ...answer.without])
      return await planKeeping(polled, answer, left, keepStep)
    },
    async write(plan) {
      if (plan.outcome === 'clear') return await writeKeeping(plan, keepStep, ports)
      await noteLacking(chain, plan.lacking, ports.keptContracts)
      return true
    },
  }
}

/** Blocks as the source has them after the events were read: each is asked for once. */
function blocksOf(
  chain: Chain,
  chainEvents: Pick<ChainEvents, 'block'>,
  deadline: Deadline,
): BlockAt {
  const blocks = new Map<number, Promise<HashedBlock | undefined>>()
  return (number) => {
    const block = blocks.get(number) ?? chainEvents.block(chain, number, deadline)
    blocks.set(number, block)
    return block
  }
}

/** The position as a step leaves it that confirms nothing, if it has something to note. */
export const unclearPosition = <Position extends { step: number }>(
  position: Position | undefined,
  settling: SettlingPosition | undefined,
): (Position & { settling: SettlingPosition }) | undefined =>
  position && settling && { ...position, step: position.step + 1, settling }
