import { vi } from 'vitest'
import { followChain, followChains } from '../../../lib/domain/following/follow-chain.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { ChainEvents } from '../../../lib/domain/ports/chain-events.ts'
import type { FollowPosition } from '../../../lib/domain/ports/follow-notes.ts'
import {
  contractAt,
  emptyTable,
  type FollowedTable,
  memoryFollowNotes,
} from '../../../simulation/followed-table.ts'
import {
  emptyKeptTable,
  memoryDigests,
  memoryKeptContracts,
} from '../../../simulation/kept-table.ts'
import { memoryChain } from '../../../simulation/memory-chain.ts'
import { contract, settings } from './followed.ts'

/** Every chain answers alike, unless a test replaces its source. */
type Sources = Partial<Record<Chain, Partial<ChainEvents>>>

/** Waits with the timers of the test. */
export const after = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** Chains with a watched contract each, the tables of their followers, and a clock that tests move (`vi.useFakeTimers`). */
export function chainsSideBySide(chains: readonly Chain[], sources: Sources = {}) {
  const table: FollowedTable = emptyTable()
  const chain = memoryChain(Date.now)
  for (const name of chains) {
    const watchedUntil = Date.now() + 86_400_000
    table.contracts.set(contractAt(name, contract), { address: contract, watchedUntil })
  }
  const of = (name: Chain): ChainEvents => ({ ...chain, ...sources[name] })
  const chainEvents: ChainEvents = {
    head: (name, deadline) => of(name).head(name, deadline),
    block: (name, ...query) => of(name).block(name, ...query),
    events: (query, deadline) => of(query.chain).events(query, deadline),
  }
  /** The positions of each chain, in their order, with the time at which each was noted. */
  const moves = new Map<Chain, { position: FollowPosition; notedAt: number }[]>()
  const notes = memoryFollowNotes(table, Date.now)
  const followNotes: typeof notes = {
    ...notes,
    async moveTo(name, holder, position, from) {
      const hasMoved = await notes.moveTo(name, holder, position, from)
      const before = moves.get(name) ?? []
      if (hasMoved) moves.set(name, [...before, { position, notedAt: Date.now() }])
      return hasMoved
    },
  }
  const kept = emptyKeptTable()
  const keptContracts = memoryKeptContracts(kept, async () => undefined)
  const ports: Parameters<typeof followChain>[1] = {
    ...{ chainEvents, followNotes, now: Date.now, sleep: after },
    keeping: { keptContracts, settledDigests: memoryDigests() },
  }

  /** Follows the chains for a minute, as an invocation does, while this time passes: by default that of its timeout. */
  async function followAMinute(followed: readonly Chain[] = chains, milliseconds = 75_000) {
    const until = Date.now() + 60_000
    const result = followChains(
      { chains: followed, holder: `from ${Date.now()}` },
      ports,
      settings,
      until,
      (follow) => follow(),
    )
    await vi.advanceTimersByTimeAsync(milliseconds)
    return Object.fromEntries((await result).map((each) => [each.chain, each]))
  }

  /** Starts a follower of a chain that dies before it notes its position, with its lease. */
  async function dieInStep(name: Chain): Promise<void> {
    const dying = { ...followNotes, moveTo: () => new Promise<boolean>(() => undefined) }
    const follower = { chain: name, holder: 'dying' }
    void followChain(follower, { ...ports, followNotes: dying }, settings, Date.now() + 60_000)
    await vi.advanceTimersByTimeAsync(0)
  }

  /** The longest time between two notes of a chain's position, in milliseconds. */
  const longestPause = (name: Chain) => {
    const times = (moves.get(name) ?? []).map(({ notedAt }) => notedAt)
    return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)))
  }
  return { chain, table, kept, ports, moves, followAMinute, dieInStep, longestPause }
}
