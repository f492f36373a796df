import { followChains } from '../../../lib/domain/following/follow-chains.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import { memoryFollowNotes } from './followed-table.ts'
import { silentOn, simulatedEvents } from './simulated-events.ts'
import { followedChain, silentChain, type World } from './world.ts'

/** A process that follows the chains. */
interface FollowerProcess {
  isKilled: boolean
  /** The number of further port calls before it is killed. */
  killedAfter: number
  stalledUntil: number
}

/** The processes that follow the chains of a history. */
export interface Followers {
  start(): void
  /** Kills the processes after a number of further port calls each. */
  kill(moment: number): void
  /** Lets the processes wait at their next port calls, in milliseconds. */
  stall(milliseconds: number): void
  /** Resolves with the next port call of a name, or after 20 seconds without one. */
  nextCall(name: string): Promise<void>
  /** The port call at which the next process that makes it is killed. */
  killAt: string | undefined
  /** Until then no process is started by the schedule, in milliseconds since 1970. */
  pausedUntil: number
  /** Ends all processes, and starts none for some time. Resolves after it. */
  pause(milliseconds: number): Promise<void>
  fail(error: unknown): void
}

/** The time after which Lambda ends a follower, in milliseconds. */
const timeoutMilliseconds = 75_000

/** Starts a follower every minute, as the schedule does. */
export function startFollowers(world: World): Followers {
  const { time, table } = world
  const processes = new Set<FollowerProcess>()
  let waiting: { name: string; resolve: () => void }[] = []

  async function follow(process: FollowerProcess): Promise<void> {
    const started = time.now()
    const turn = async (call: string) => {
      await time.sleep(time.isOneOf(40) ? time.between(200, 2_000) : time.between(1, 40))
      if (process.stalledUntil > time.now()) await time.sleep(process.stalledUntil - time.now())
      for (const { name, resolve } of waiting) if (name === call) resolve()
      waiting = waiting.filter(({ name }) => name !== call)
      process.killedAfter -= 1
      const isKilled = process.killedAfter < 0 || call === followers.killAt
      if (call === followers.killAt) followers.killAt = undefined
      if (isKilled || time.now() - started > timeoutMilliseconds) {
        processes.delete(process)
        // A process that was killed does not go on, and does not fail.
        await new Promise(() => undefined)
      }
    }
    const notes = memoryFollowNotes(table, time.now, turn)
    const chains: Chain[] = [followedChain]
    if (world.history.hasSilentChain) chains.unshift(silentChain)
    const chainEvents = silentOn(silentChain, simulatedEvents(world), time)
    const results = await followChains(
      { chains, holder: `follower ${started} ${time.random()}` },
      { chainEvents, followNotes: notes, now: time.now, sleep: time.sleep },
      {
        followPollSeconds: 5,
        followLogsPerMinute: world.history.logsPerMinute,
        settlingSeconds: world.settlingMilliseconds / 1_000,
      },
      started + 60_000,
      (followed) => followed(),
    )
    processes.delete(process)
    for (const { defect } of results) if (defect) throw defect
  }

  const followers: Followers = {
    nextCall: (name) =>
      Promise.race([
        new Promise<void>((resolve) => waiting.push({ name, resolve })),
        time.sleep(20_000),
      ]),
    killAt: undefined,
    pausedUntil: 0,
    async pause(milliseconds) {
      followers.kill(0)
      followers.pausedUntil = Math.max(followers.pausedUntil, time.now() + milliseconds)
      await time.sleep(milliseconds)
    },
    start() {
      const process = { isKilled: false, killedAfter: Number.POSITIVE_INFINITY, stalledUntil: 0 }
      processes.add(process)
      follow(process).catch(followers.fail)
    },
    kill(moment) {
      for (const process of processes) process.killedAfter = moment
    },
    stall(milliseconds) {
      for (const process of processes) process.stalledUntil = time.now() + milliseconds
    },
    fail: () => undefined,
  }
  const schedule = async () => {
    while (true) {
      if (time.now() >= followers.pausedUntil) followers.start()
      await time.sleep(60_000)
    }
  }
  void schedule()
  return followers
}
