import { Unavailable } from '../failures.ts'
import type { Chain } from '../nft/chain.ts'
import { rangeReader } from './chain-range.ts'
import { pollMilliseconds } from './poll-interval.ts'
import { type FollowPorts, type FollowSettings, type StepResult, takeStep } from './take-step.ts'

/** What happened while a chain was followed. */
export interface FollowReport {
  /** The steps after which the position had moved. */
  steps: number
  /** The steps that failed. */
  failures: number
  /** The reason of the last failure. */
  reason?: string | undefined
  /** The watched and kept contracts that are suspended after the last step: because of too many events, or because the source refuses them. */
  busy: number
  refused: number
  /** The time of the last block that is read; absent if it is not known. */
  readUpTo?: number | undefined
}

/** The longest time of a step, in milliseconds. */
export const stepMilliseconds = 12_000

/** The time after which another follower can take the place of one that has died, in milliseconds. */
const leaseMilliseconds = 40_000

/** The time between two attempts to get the lease, in milliseconds. */
const leaseRetryMilliseconds = 1_000

/**
 * Follows a chain until a time, while `holder` has the lease: takes a step `followPollSeconds` after the one before, or later
 * while nobody reads the chain (D152). A step that fails is repeated, and counted. Followers that have not got the
 * lease wait for it. The last step can end {@link stepMilliseconds} after `until`.
 */
export async function followChain(
  { chain, holder }: { chain: Chain; holder: string },
  ports: FollowPorts & { sleep(milliseconds: number): Promise<unknown> },
  settings: FollowSettings,
  until: number,
): Promise<FollowReport> {
  const { followNotes, now, sleep } = ports
  const ranges = rangeReader(chain, ports.chainEvents)
  const report: FollowReport = { steps: 0, failures: 0, busy: 0, refused: 0 }
  let leasedUntil = 0
  let isTakenOver = false

  /** Whether the holder has the lease for a step. */
  async function isLeased(startedAt: number): Promise<boolean> {
    if (leasedUntil - startedAt >= stepMilliseconds) return true
    const lease = await followNotes.lease(chain, holder, leaseMilliseconds)
    const isRenewed = lease?.before === holder && startedAt < leasedUntil
    leasedUntil = lease ? startedAt + leaseMilliseconds : 0
    isTakenOver ||= lease?.before !== undefined && !isRenewed
    return lease !== undefined
  }

  /** Takes a step, and returns when to take the next one. */
  async function poll(): Promise<number> {
    const startedAt = now()
    if (!(await isLeased(startedAt))) return startedAt + leaseRetryMilliseconds
    const deadline = startedAt + stepMilliseconds
    const follower = { chain, holder, ranges, isTakenOver }
    const result = await takeStep(follower, ports, settings, deadline)
    count(result, report)
    if (result.outcome === 'moved') isTakenOver = false
    // The lease may be another's.
    if (result.outcome === 'lost') leasedUntil = 0
    return result.outcome === 'lost' ? startedAt + pollMilliseconds(settings) : now() + result.pause
  }

  try {
    for (let next = now(); next < until; ) {
      await sleep(Math.max(0, next - now()))
      const startedAt = now()
      const due = await poll().catch((error) => {
        countFailure(error, report)
        return startedAt + pollMilliseconds(settings)
      })
      next = Math.max(due, now())
    }
  } finally {
    // Whoever takes over what was taken over has to know of it.
    if (!isTakenOver) {
      await followNotes.release(chain, holder).catch((error) => countFailure(error, report))
    }
  }
  return report
}

function count(result: StepResult, report: FollowReport): void {
  if (result.outcome === 'moved') {
    report.steps += 1
    report.busy = result.busy
    report.refused = result.refused
  }
  if (result.outcome !== 'lost' && result.position) report.readUpTo = result.position.head.at
}

function countFailure(error: unknown, report: FollowReport): void {
  if (!(error instanceof Unavailable)) throw error
  report.failures += 1
  report.reason = error.reason
}
