import { followChain } from '../../lib/domain/following/follow-chain.ts'
import type { FollowSettings } from '../../lib/domain/following/take-step.ts'
import { askForUpkeep } from '../../lib/domain/keeping/ask-for-upkeep.ts'
import type { ContractKey, ContractWithRanges } from '../../lib/domain/nft/nft.ts'
import type { KeptContracts } from '../../lib/domain/ports/kept-contracts.ts'
import type { WorkQueue } from '../../lib/domain/ports/work-queue.ts'
import { processUpkeepItem } from '../../lib/domain/upkeep/process-upkeep-item.ts'
import type { UpkeepPorts } from '../../lib/domain/upkeep/upkeep-ports.ts'
import type { UpkeepWork } from '../../lib/domain/work/work-item.ts'
import type { SimulatedTime } from '../../simulation/simulated-time.ts'
import { chain } from '../scenario/products.ts'
import { blockAt } from './day-chain.ts'
import type { dayTable } from './day-table.ts'
import type { DayIndexer } from './day-world.ts'

/** The time that the worker has for an item, and that of an invocation of the follower, in milliseconds. */
const workMilliseconds = 40_000
const invocationMilliseconds = 60_000

/** What runs on a simulated day beside the reads, with the same table. */
export interface DayPlace {
  time: SimulatedTime
  table: ReturnType<typeof dayTable>
  contracts: readonly ContractWithRanges[]
  /** Called with what stops a process. */
  fail(error: unknown): void
}

/** The background queue with its worker, whose limits are far away. */
export function startWorker(
  { time: { now, sleep, random }, table, contracts, fail }: DayPlace,
  { indexer, tokenOwners, chainEvents, chainState }: DayIndexer,
): WorkQueue {
  let ids = 0
  const workQueue: WorkQueue = {
    async send(item, delaySeconds = 0) {
      sleep(delaySeconds * 1_000)
        .then(() => processUpkeepItem(item as UpkeepWork, now() + workMilliseconds, ports))
        .catch(fail)
    },
  }
  const ports = {
    ...{ ...table, tokenOwners, chainEvents, chainState, contractStandards: chainState },
    ...{ indexer, workQueue, random, now },
    keptChains: [chain],
    contracts: {
      get: async (_: unknown, { address }: ContractKey) =>
        contracts.find((contract) => contract.address === address),
    },
    // An allowlist of all NFTs has no single identifiers.
    allowedTokenIds: { list: async () => [], listIn: async () => [] },
    callBudget: { spend: async (_: unknown, work: () => Promise<unknown>) => await work() },
    snapshotSettings: { keptTokens: 1_000_000, settlingMilliseconds: 600_000 },
    newId() {
      ids += 1
      return `${ids}`
    },
  } as unknown as UpkeepPorts
  return workQueue
}

/** Follows the chain from now on, in invocations of a minute each, as the schedule of a deployment starts them. */
export async function follow(
  { time: { now, sleep }, table }: DayPlace,
  { chainEvents }: DayIndexer,
  workQueue: WorkQueue,
  keptContracts: KeptContracts,
  settings: FollowSettings,
): Promise<never> {
  const { followNotes, settledDigests } = table
  const keeping = { keptContracts, settledDigests }
  const ports = { chainEvents, followNotes, keeping, now, sleep }
  for (let minute = 0; ; minute += 1) {
    const until = now() + invocationMilliseconds
    const ask = () => void workQueue.send({ kind: 'upkeep' })
    const [report] = await Promise.all([
      followChain({ chain, holder: `minute ${minute}` }, ports, settings, until),
      askForUpkeep(ask, { now, sleep }, until),
    ])
    if (report.failures > 0) throw new Error(`following failed: ${report.reason}`)
    await sleep(until - now())
  }
}

/** The same items, with the times from the blocks of events to the moments at which readers see them, in milliseconds. */
export function timedEvents(
  keptContracts: KeptContracts,
  now: () => number,
  delays: number[],
): KeptContracts {
  const shown = new Map<string, number>()
  return {
    ...keptContracts,
    async write(on, contract) {
      const isWritten = await keptContracts.write(on, contract)
      const { address, events, snapshot } = contract
      const before = shown.get(address) ?? 0
      const blocks = isWritten && snapshot ? events.map(({ block }) => block) : []
      for (const block of blocks) if (block > before) delays.push(now() - blockAt(block).at)
      shown.set(address, Math.max(before, ...blocks))
      return isWritten
    },
  }
}
