import { followChain } from '../../../lib/domain/following/follow-chain.ts'
import { memoryFollowNotes } from '../simulated-chain/followed-table.ts'
import { memoryKeptContracts } from './kept-table.ts'
import { chain, type KeptWorld, latency, modelEvents, settlingSeconds } from './kept-world.ts'
import { memoryDigests } from './memory-digests.ts'

/** Starts a process that follows the chain, and another one in its place when it is killed or has ended. */
export function startFollower(world: KeptWorld, name: string): void {
  const { time, options, calmFrom, end } = world
  let generation = 0

  async function follow(): Promise<void> {
    generation += 1
    const holder = `${name} ${generation}`
    const until = Math.min(end + 60_000, time.now() + time.between(20, 90) * 1_000)
    let isKilled = false
    const turn = async (call: string) => {
      await latency(world)
      if (isKilled) await never
      if (time.now() >= calmFrom || !writes.includes(call)) return
      if (options.stallAt === call && time.random() < 0.15)
        await time.sleep(time.between(22_000, 52_000))
      if (time.random() < options.crash / 2) {
        isKilled = true
        void time.sleep(time.between(1_000, 11_000)).then(follow)
        await never
      }
      if (time.random() < options.stall / 2) await time.sleep(time.between(5_000, 65_000))
    }
    const throttles = () => time.now() < calmFrom && time.random() < options.throttle
    await followChain(
      { chain, holder },
      {
        chainEvents: modelEvents(world),
        followNotes: memoryFollowNotes(world.followed, time.now, turn),
        keeping: {
          keptContracts: memoryKeptContracts(world.kept, turn, throttles),
          settledDigests: memoryDigests(),
        },
        ...{ now: time.now, sleep: time.sleep },
      },
      {
        followPollSeconds: options.isShort ? 1 : 5,
        followLogsPerMinute: 1_000,
        settlingSeconds,
      },
      until,
    )
    if (time.now() < end) await follow()
  }
  follow().catch((error) => world.fail(error))
}

/** The calls that change something. */
const writes = ['kept list', 'kept contract', 'kept log', 'moveTo', 'noteContracts']

/** What a process waits for that was killed. */
const never = new Promise<never>(() => undefined)
