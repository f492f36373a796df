import { type FollowReport, followChain } from '../../../lib/domain/following/follow-chain.ts'
import type { FollowPorts } from '../../../lib/domain/following/follow-step.ts'
import { addressOf, memoryChain } from './memory-chain.ts'
import { memoryNotes } from './memory-notes.ts'

export const [contract, other] = [addressOf(0xc1), addressOf(0xc2)]
export const [alice, bob] = [addressOf(0xa), addressOf(0xb)]

export const settings = { followPollSeconds: 5, followLogsPerMinute: 600, settlingSeconds: 30 }

/** A follower that ends before one of its calls, as by the death of its process. */
export class Killed extends Error {}

/** A chain, the notes of its followers, and a clock that only waiting moves. */
export function followedChain() {
  let time = 1_700_000_000_000
  const now = () => time
  const chain = memoryChain(now)
  const notes = memoryNotes(now)
  const sleep = async (milliseconds: number) => {
    time += milliseconds
  }
  let holders = 0
  const ports = { chainEvents: chain, followNotes: notes, now, sleep }

  /** Follows the chain for some seconds; `use` replaces the ports. */
  async function follow(seconds: number, use: Partial<FollowPorts> = {}): Promise<FollowReport> {
    holders += 1
    const follower = { chain: 'POLYGON' as const, holder: `follower ${holders}` }
    return followChain(follower, { ...ports, ...use }, settings, time + seconds * 1_000)
  }

  /**
   * The events that nobody has noted although the notes say that they are complete: in a followed contract, from the
   * block from which it is followed up to the last block that is read.
   */
  function holes(): string[] {
    const { position, contracts, moved } = notes.noted
    if (!position) return []
    return chain.logs.flatMap((log) => {
      const { since, changedAt = 0 } = contracts.get(log.contract) ?? {}
      const { number } = log.block
      if (!since || number < since.number || number > position.head.number) return []
      const at = number * 2_000
      const times = log.wallets.map((wallet) => moved.get(`${wallet} ${log.contract}`) ?? 0)
      const isNoted = [...times, ...(log.wallets.length > 0 ? [] : [changedAt])].every(
        (noted) => noted >= at,
      )
      return isNoted ? [] : [`${log.contract} in block ${number}`]
    })
  }
  return { chain, notes, noted: notes.noted, now, sleep, follow, holes }
}

/** A chain that was followed for a minute, with a contract that a read has asked about. */
export async function followedForAMinute() {
  const followed = followedChain()
  followed.notes.ask(contract)
  await followed.follow(60)
  return followed
}

/** Runs `before` ahead of each call of the ports, with the number of the call and its name. */
export function beforeEachCall<Port extends object>(
  port: Port,
  before: (call: string) => Promise<void>,
): Port {
  return new Proxy(port, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        await before(String(name))
        return member.apply(target, args)
      }
    },
  })
}
