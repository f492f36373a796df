import { type FollowReport, followChain } from '../../../lib/domain/following/follow-chain.ts'
import type { FollowPorts, FollowSettings } from '../../../lib/domain/following/take-step.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { LogEntry } from '../../../lib/domain/nft-events/nft-event.ts'
import {
  contractAt,
  emptyTable,
  memoryFollowNotes,
  movementAt,
  type Turn,
} from '../remembered-model/followed-table.ts'
import { addressOf, memoryChain } from './memory-chain.ts'

export const [contract, other] = [addressOf(0xc1), addressOf(0xc2)]
export const [alice, bob] = [addressOf(0xa), addressOf(0xb)]

export const settings = { followPollSeconds: 5, followLogsPerMinute: 600, settlingSeconds: 30 }

/** A follower that ends before one of its calls, as by the death of its process. */
export class Killed extends Error {}

/** A chain, the notes of its followers, and a clock that only waiting moves. `turn`: called before each write of a follower. */
export function followedChain(turn?: Turn) {
  let time = 1_700_000_000_000
  const now = () => time
  const chain = memoryChain(now)
  const table = emptyTable()
  const notes = memoryFollowNotes(table, now, turn)
  const sleep = async (milliseconds: number) => {
    time += milliseconds
  }
  /** What followers have noted. */
  const noted = {
    position: () => table.positions.get('POLYGON'),
    contract: (address: Address) => table.contracts.get(contractAt('POLYGON', address)),
    /** The time of the latest movement. */
    movedAt: (wallet: Address, address: Address) =>
      table.moved.get(movementAt('POLYGON', wallet, address))?.at,
  }
  /** Leases a contract as a read does. */
  const ask = (address: Address, milliseconds = 86_400_000) => {
    const leasedUntil = now() + milliseconds
    const item = { ...noted.contract(address), address, leasedUntil }
    table.contracts.set(contractAt('POLYGON', address), item)
  }
  /** Asks for the events of a contract to be logged, and for webhooks to be told of them. */
  const watch = (address: Address, milliseconds = 86_400_000, { isPushed = false } = {}) => {
    const watchedUntil = now() + milliseconds
    const lease = { watchedUntil, ...(isPushed && { pushedUntil: watchedUntil }) }
    const item = { leasedUntil: 0, ...noted.contract(address), address, ...lease }
    table.contracts.set(contractAt('POLYGON', address), item)
  }
  /** The entries of the log of a contract, in order. */
  const logged = (address: Address): LogEntry[] => {
    const log = table.logs.get(contractAt('POLYGON', address)) ?? new Map()
    return [...log].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry)
  }
  let holders = 0
  const ports = { chainEvents: chain, followNotes: notes, now, sleep }

  /** Follows the chain for some seconds; `use` replaces the ports, and `set` the settings. */
  async function follow(
    seconds: number,
    use: Partial<FollowPorts> = {},
    set: Partial<FollowSettings> = {},
  ): Promise<FollowReport> {
    holders += 1
    const follower = { chain: 'POLYGON' as const, holder: `follower ${holders}` }
    return followChain(
      follower,
      { ...ports, ...use },
      { ...settings, ...set },
      time + seconds * 1_000,
    )
  }

  /**
   * The events that nobody has noted although the notes say that they are complete: in a followed contract, from the
   * block from which it is followed up to the last block that is read.
   */
  function holes(): string[] {
    const position = noted.position()
    if (!position) return []
    return chain.logs.flatMap((log) => {
      const { since, metadataChangedAt = 0 } = noted.contract(log.contract) ?? {}
      const { number } = log.block
      if (!since || number < since.number || number > position.head.number) return []
      const at = number * 2_000
      const times = log.wallets.map((wallet) => noted.movedAt(wallet, log.contract) ?? 0)
      const isNoted = [...times, ...(log.wallets.length > 0 ? [] : [metadataChangedAt])].every(
        (time) => time >= at,
      )
      return isNoted ? [] : [`${log.contract} in block ${number}`]
    })
  }
  return { chain, table, notes, noted, ask, watch, logged, now, sleep, follow, holes }
}

/** A chain that was followed for a minute, with a contract that a read has asked about. */
export async function followedForAMinute() {
  const followed = followedChain()
  followed.ask(contract)
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
