import { Unavailable } from '../failures.ts'
import type { Chain } from '../nft/chain.ts'
import { rangeReader } from './chain-range.ts'
import { pollMilliseconds } from './poll-interval.ts'
import { type FollowPorts, type FollowSettings, type StepResult, takeStep } from './take-step.ts'

/** What happened while a chain was followed. */
export interface FollowReport {
  /** The steps after which the position had moved. */
  steps: number
  failures: number
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

/** What became of a chain in an invocation: what its follower did, unless a defect ended it. */
export interface FollowedChain {
  chain: Chain
  report?: FollowReport
  defect?: unknown
  /** The time of the last block that is read, by this follower or another; absent if nobody knows. */
  readUpTo?: number | undefined
}

/**
 * Follows chains side by side until a time, each with a lease, steps and a result of its own (D152). A defect ends its chain
 * only. `alone` runs the work of one chain, for example in a scope of its own, and decides what is returned for it.
 */
export function followChains<Result>(
  { chains, holder }: { chains: readonly Chain[]; holder: string },
  ports: Parameters<typeof followChain>[1],
  settings: FollowSettings,
  until: number,
  alone: (follow: () => Promise<FollowedChain>) => Promise<Result>,
): Promise<Result[]> {
  async function followAlone(chain: Chain): Promise<FollowedChain> {
    try {
      const report = await followChain({ chain, holder }, ports, settings, until)
      const readUpTo = report.readUpTo ?? (await readUpToOf(chain, ports))
      return { chain, report, readUpTo }
    } catch (defect) {
      return { chain, defect, readUpTo: await readUpToOf(chain, ports) }
    }
  }
  return Promise.all(chains.map((chain) => alone(() => followAlone(chain))))
}

/** How far a chain is read, for example by the follower that had its lease; `undefined` if nobody knows. */
async function readUpToOf(
  chain: Chain,
  { followNotes }: Pick<FollowPorts, 'followNotes'>,
): Promise<number | undefined> {
  try {
    return (await followNotes.position(chain))?.head.at
  } catch {
    return undefined
  }
}
