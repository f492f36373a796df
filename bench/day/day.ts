import { everyTokenId } from '../../lib/domain/allowlist/token-ranges.ts'
import type { FollowSettings } from '../../lib/domain/following/take-step.ts'
import type { BindingId, ContractWithRanges } from '../../lib/domain/nft/nft.ts'
import { type SimulatedTime, simulatedTime } from '../../simulation/simulated-time.ts'
import { chain } from '../scenario/products.ts'
import { quantile } from '../statistics.ts'
import {
  type DayChain,
  dayChain,
  dayMilliseconds,
  type Transfer,
  type TransfersOfWallet,
  transfersOf,
} from './day-chain.ts'
import { follow, startWorker, timedEvents } from './day-processes.ts'
import { dayTable } from './day-table.ts'
import { type DayIndexer, dayIndexer, unitsOf } from './day-world.ts'
import { dayReader, type Reads } from './reader.ts'

/** The wallets, and the reads of each wallet in a day. */
export const walletCount = 20_000
export const readsOfWallet = 6

/** The settings of a deployment that follows a chain. */
export const following: FollowSettings = {
  settlingSeconds: 30,
  followPollSeconds: 5,
  followLogsPerMinute: 600,
}

/** The age after which metadata is asked for again, in seconds. */
const metadataSeconds = 604_800

/** What calls the indexer. */
export const callers = ['reads', 'follower', 'worker'] as const

type Caller = (typeof callers)[number]

/** What happened on one day. */
export interface DayCounts extends Reads {
  units: Record<Caller, number>
  /** The time from the block of a transfer until readers see it, at the 99th percentile, in milliseconds. */
  shownAfter: number
}

/** The transfers and reads of a day. */
export interface DayPlan {
  ofWallet: TransfersOfWallet
  /** Whether the wallets of a transfer are also read {@link soonMilliseconds} after it. */
  readsSoonAfter?: boolean
}

/** The time from a transfer to the reads that it causes, in milliseconds. */
const soonMilliseconds = 10_000

/** Simulates days, one after the other, with the rules of the service. Nothing is kept before the first one. */
export async function simulateDays(days: number, plan: DayPlan): Promise<DayCounts[]> {
  const time = simulatedTime(14)
  const { now, sleep, random } = time
  const start = now()
  const dayStarts = Array.from({ length: days }, (_, day) => start + day * dayMilliseconds)
  const transfers = dayStarts.map((from) => transfersOf(from, walletCount, plan.ofWallet, random))
  const phases = Array.from({ length: walletCount }, random)

  const world = dayChain(walletCount, transfers.flat(), now)
  const { reader, takeCounts } = startProcesses(world, time)
  const counts: DayCounts[] = []
  async function readEachDay(): Promise<void> {
    for (const [day, from] of dayStarts.entries()) {
      const soon = plan.readsSoonAfter ? (transfers[day] ?? []) : []
      for (const { at, wallet } of readsOf(from, phases, soon)) {
        await sleep(at - now())
        await reader.read(wallet)
      }
      await sleep(from + dayMilliseconds - now())
      counts.push({ ...reader.take(), ...takeCounts() })
    }
  }
  const ended = readEachDay()
  await time.runUntil(ended)
  await ended
  return counts
}

/** Starts what runs on the days. `takeCounts`: what it has counted since the previous time; throws if a process has failed. */
function startProcesses(world: DayChain, time: SimulatedTime) {
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
  }
  const table = dayTable(world, time.now)
  const place = { time, table, contracts: allowedContracts(world), fail }
  const indexers = {
    reads: dayIndexer(world),
    follower: dayIndexer(world),
    worker: dayIndexer(world),
  } satisfies Record<Caller, DayIndexer>
  const delays: number[] = []
  const timed = timedEvents(table.keptContracts, time.now, delays)
  const workQueue = startWorker(place, indexers.worker)
  follow(place, indexers.follower, workQueue, timed, following).catch(fail)
  // What happened before may be unknown to a reader.
  const allowedLag = (following.settlingSeconds + following.followPollSeconds) * 1_000
  const reader = dayReader(world, place, indexers.reads, { allowedLag, metadataSeconds })

  function takeCounts(): Omit<DayCounts, keyof Reads> {
    if (failure) throw failure
    const shownAfter = quantile(delays.splice(0), 0.99)
    const units = { reads: 0, follower: 0, worker: 0 }
    for (const caller of callers) {
      const { calls } = indexers[caller]
      units[caller] = unitsOf(calls)
      for (const method of Object.keys(calls)) delete calls[method as keyof typeof calls]
    }
    return { units, shownAfter }
  }
  return { reader, takeCounts }
}

const allowedContracts = ({ contracts }: DayChain): ContractWithRanges[] =>
  contracts.map((address) => ({
    ...{ chain, address, bindingId: `of ${address}` as BindingId, ranges: [everyTokenId] },
  }))

/** The reads of a day in their order: of each wallet every four hours, and of the wallets of some transfers. */
function readsOf(from: number, phases: readonly number[], soon: readonly Transfer[]) {
  const every = dayMilliseconds / readsOfWallet
  const regular = phases.flatMap((phase, wallet) =>
    Array.from({ length: readsOfWallet }, (_, turn) => ({
      at: from + (turn + phase) * every,
      wallet,
    })),
  )
  const caused = soon.flatMap((transfer) =>
    [transfer.from, transfer.to].map((wallet) => ({ at: transfer.at + soonMilliseconds, wallet })),
  )
  return [...regular, ...caused].sort((a, b) => a.at - b.at)
}
