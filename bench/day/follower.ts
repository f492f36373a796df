import { followChain } from '../../lib/domain/following/follow-chain.ts'
import type { FollowSettings } from '../../lib/domain/following/take-step.ts'
import {
  emptyTable,
  type FollowedTable,
  memoryFollowNotes,
} from '../../test/support/remembered-model/followed-table.ts'
import { chain } from '../scenario/products.ts'
import type { DayClock } from './day-clock.ts'
import type { DayWorld } from './day-world.ts'

/** Ports in memory wait for nothing. */
export const atOnce = async () => undefined

/** A follower of the chain, with the items that it notes. */
interface DayFollower {
  table: FollowedTable
  /** Throws if a step of the follower has failed. */
  check(): void
}

/** Follows the chain from now on, in invocations of a minute each, as the schedule of a deployment starts them. */
export function followInMinutes(
  { chainEvents }: DayWorld,
  clock: DayClock,
  settings: FollowSettings,
): DayFollower {
  const table = emptyTable()
  const { now, sleep } = clock
  const followNotes = memoryFollowNotes(table, now, atOnce)
  let failure: unknown

  async function follow(): Promise<void> {
    for (let minute = 0; ; minute += 1) {
      const until = now() + 60_000
      const follower = { chain, holder: `minute ${minute}` } as const
      const ports = { chainEvents, followNotes, now, sleep }
      const report = await followChain(follower, ports, settings, until)
      if (report.failures > 0) throw new Error(`following failed: ${report.reason}`)
      await sleep(until - now())
    }
  }

  follow().catch((error: unknown) => {
    failure = error
  })
  return {
    table,
    check() {
      if (failure) throw failure
    },
  }
}
