import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { maxListed } from '../../../lib/domain/holdings/holdings.ts'
import type { KeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import { compareEvents, type KeptEvent } from '../../../lib/domain/holdings/kept-event.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { KeptContracts, SnapshotKey } from '../../../lib/domain/ports/kept-contracts.ts'
import type { KeptHoldings, Timed } from '../../../lib/domain/ports/kept-holdings.ts'
import type { SnapshotAttempts } from '../../../lib/domain/ports/snapshot-attempts.ts'
import type { SnapshotAttempt } from '../../../lib/domain/snapshots/snapshot-attempt.ts'
import type { FollowedTable, Turn } from '../remembered-model/followed-table.ts'

/** A list in the table. Each write makes a new one. */
interface StoredList {
  settledUpTo: number
  tokens: ReadonlyMap<TokenId, bigint>
  isTooLong?: boolean | undefined
}

/** The items of the table that keeping uses. */
export interface KeptTable {
  contracts: Map<Address, KeptContract>
  /** By snapshot and wallet. */
  lists: Map<string, StoredList>
  log: Map<string, KeptEvent>
  attempts: Map<Address, SnapshotAttempt>
}

export const emptyKeptTable = (): KeptTable => ({
  contracts: new Map(),
  lists: new Map(),
  log: new Map(),
  attempts: new Map(),
})

export const listAt = ({ address, id }: Pick<SnapshotKey, 'address' | 'id'>, wallet: Address) =>
  `${address} ${id} ${wallet}`

/** What the follower and the worker keep, in memory: each item changes at one moment. `throttles`: whether a write is refused. */
export function memoryKeptContracts(
  table: KeptTable,
  turn: Turn,
  throttles: () => boolean = () => false,
): KeptContracts {
  return {
    async contracts() {
      await turn('kept contracts')
      return [...table.contracts.values()]
    },
    async write(_chain, contract) {
      await turn('kept contract')
      const { version = 0 } = table.contracts.get(contract.address) ?? {}
      if (version !== contract.version - 1) return false
      table.contracts.set(contract.address, contract)
      return true
    },
    async lists(snapshot, wanted) {
      await turn('kept lists')
      const found = [...wanted.keys()].flatMap((wallet) => {
        const list = table.lists.get(listAt(snapshot, wallet))
        return list
          ? [[wallet, { ...list, tokens: new Map(list.tokens), stored: list }] as const]
          : []
      })
      return new Map(found)
    },
    async change(snapshot, wallet, from, { settledUpTo, balances, isTooLong }) {
      await turn('kept list')
      if (throttles()) throw new ServiceUnavailable('throttled')
      // It is too long whatever changes.
      if (from?.isTooLong) return true
      const key = listAt(snapshot, wallet)
      const stored = table.lists.get(key)
      if (stored?.settledUpTo !== from?.settledUpTo) return false
      const tokens = new Map([...(stored?.tokens ?? []), ...balances])
      for (const [tokenId, balance] of tokens) if (balance === 0n) tokens.delete(tokenId)
      table.lists.set(key, { settledUpTo, tokens, isTooLong })
      return true
    },
    async log({ address }, events) {
      await turn('kept log')
      for (const event of events) table.log.set(`${address} ${event.block} ${event.index}`, event)
    },
    async *logged({ address }, { after, upTo }) {
      await turn('kept log')
      const its = [...table.log].filter(([key]) => key.startsWith(`${address} `))
      const events = its.map(([, event]) => event)
      yield* events.filter(({ block }) => block > after && block <= upTo).sort(compareEvents)
    },
  }
}

/** What the worker keeps while it takes snapshots, in memory. */
export const memoryAttempts = (table: KeptTable, turn: Turn): SnapshotAttempts => ({
  async get({ address }) {
    await turn('attempt')
    return table.attempts.get(address)
  },
  async write({ address }, attempt) {
    await turn('attempt')
    if ((table.attempts.get(address)?.version ?? 0) !== attempt.version - 1) return false
    table.attempts.set(address, attempt)
    return true
  },
  async end({ address }, version) {
    await turn('attempt')
    if (table.attempts.get(address)?.version === version) table.attempts.delete(address)
  },
  async addToList(snapshot, wallet, tokens) {
    await turn('list')
    const key = listAt(snapshot, wallet)
    const stored = table.lists.get(key)
    if (stored?.isTooLong) return false
    if ((stored?.settledUpTo ?? 0) > 0) return true
    const all = new Map([...(stored?.tokens ?? []), ...tokens])
    const isTooLong = all.size > maxListed || undefined
    table.lists.set(key, { settledUpTo: 0, tokens: isTooLong ? new Map() : all, isTooLong })
    return !isTooLong
  },
})

/** What a container reads, with what it has read in the last second. */
export function memoryKeptHoldings(
  tables: { followed: FollowedTable; kept: KeptTable },
  now: () => number,
  turn: Turn,
): KeptHoldings {
  let position: Awaited<ReturnType<KeptHoldings['position']>>
  const items = new Map<Address, Timed<KeptContract>>()
  return {
    async position(chain: Chain, isAnew) {
      const isYoung = position && now() - position.readBy <= 1_000
      if (isYoung && !isAnew) return position
      await turn('position')
      const read = tables.followed.positions.get(chain)
      const { step, confirmedUpTo } = read ?? {}
      position =
        read?.settling && step !== undefined && confirmedUpTo !== undefined
          ? { step, confirmedUpTo, readBy: now() }
          : undefined
      return position
    },
    async contracts(_chain, addresses, since) {
      const found = addresses.map(async (address) => {
        const item = items.get(address)
        if (item && item.readAt >= since && now() - item.readAt <= 1_000) return item
        const readAt = now()
        await turn('item')
        const value = tables.kept.contracts.get(address)
        if (value) items.set(address, { value, readAt })
        return value && { value, readAt }
      })
      return (await Promise.all(found)).filter((item) => item !== undefined)
    },
    async lists(_chain, wallet, addresses) {
      await turn('lists')
      return new Map(
        addresses.map((address) => [
          address,
          new Map(
            [...tables.kept.lists]
              .filter(([key]) => key.startsWith(`${address} `) && key.endsWith(` ${wallet}`))
              .map(([key, list]) => [
                key.split(' ')[1] as string,
                { ...list, tokens: new Map(list.tokens) },
              ]),
          ),
        ]),
      )
    },
  }
}
