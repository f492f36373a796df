import type { FollowSettings } from '../../lib/domain/following/take-step.ts'
import type { RememberingSettings } from '../../lib/domain/reading/freshness.ts'
import { startDayClock } from './day-clock.ts'
import { dayWorld, type IndexerMethod, type Transfer } from './day-world.ts'
import { followInMinutes } from './follower.ts'
import { dayReader } from './reader.ts'
import type { Reason } from './reasons.ts'
import { dayMilliseconds, randomNumbers, type TransfersOfWallet, transfersOf } from './transfers.ts'

/** The wallets, and the reads of each wallet in a day. */
export const walletCount = 20_000
export const readsOfWallet = 6

/** The settings of a deployment that follows a chain. */
export const following: FollowSettings & RememberingSettings = {
  rememberSeconds: 0,
  rememberFollowedSeconds: 86_400,
  settlingSeconds: 30,
  followPollSeconds: 5,
  followLogsPerMinute: 600,
}

/** What happened on one day. */
export interface DayCounts {
  reads: number
  /** The reads that asked the indexer, by their reasons. */
  asked: Record<Reason, number>
  calls: Record<IndexerMethod, number>
  /** The reads that showed what had changed longer ago than a poll and the settling time. */
  outdated: number
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
  const start = Date.UTC(2026, 10, 1)
  const random = randomNumbers(14)
  const dayStarts = Array.from({ length: days }, (_, day) => start + day * dayMilliseconds)
  const transfers = dayStarts.map((from) => transfersOf(from, walletCount, plan.ofWallet, random))
  const phases = Array.from({ length: walletCount }, random)

  using clock = startDayClock(start)
  const world = dayWorld(walletCount, transfers.flat(), clock.now)
  const follower = followInMinutes(world, clock, following)
  const reader = dayReader(world, clock, follower.table, following)
  const counts: DayCounts[] = []
  for (const [day, from] of dayStarts.entries()) {
    const soon = plan.readsSoonAfter ? (transfers[day] ?? []) : []
    for (const { at, wallet } of readsOf(from, phases, soon)) {
      await clock.moveTo(at)
      await reader.read(wallet)
    }
    await clock.moveTo(from + dayMilliseconds)
    follower.check()
    counts.push({ ...reader.take(), calls: world.takeCalls() })
  }
  return counts
}

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
