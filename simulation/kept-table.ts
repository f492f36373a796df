import type { TokenId } from '../lib/domain/allowlist/token-id.ts'
import { ServiceUnavailable } from '../lib/domain/failures.ts'
import { maxListed } from '../lib/domain/holdings/holdings.ts'
import type { KeptContract } from '../lib/domain/holdings/kept-contract.ts'
import type { SettledDigest } from '../lib/domain/holdings/kept-event.ts'
import { compareEvents, type KeptEvent } from '../lib/domain/holdings/kept-event.ts'
import type { Address } from '../lib/domain/nft/address.ts'
import type { Chain } from '../lib/domain/nft/chain.ts'
import type { SettledDigests } from '../lib/domain/ports/follow-notes.ts'
import type {
  KeptContracts,
  KeptHoldings,
  SnapshotKey,
  Timed,
} from '../lib/domain/ports/kept-contracts.ts'
import type {
  RegisteredLists,
  SnapshotAttempts,
  SnapshotLists,
} from '../lib/domain/ports/snapshot-attempts.ts'
import type { SnapshotAttempt } from '../lib/domain/snapshots/snapshot-attempt.ts'
import type { FollowedTable, Turn } from './followed-table.ts'

/** A list in the table. Each write makes a new one. */
interface StoredList {
  settledUpTo: number
  tokens: ReadonlyMap<TokenId, bigint>
  isTooLong?: boolean | undefined
}

/** The items of the table that keeping uses. */
export const emptyKeptTable = () => ({
  contracts: new Map<Address, KeptContract>(),
  /** By snapshot and wallet. */
  lists: new Map<string, StoredList>(),
  log: new Map<string, KeptEvent>(),
  attempts: new Map<Address, SnapshotAttempt>(),
  /** By snapshot. */
  registered: new Map<string, RegisteredLists>(),
  holders: new Map<string, Set<Address>>(),
})

type KeptTable = ReturnType<typeof emptyKeptTable>

const snapshotAt = ({ address, id }: Pick<SnapshotKey, 'address' | 'id'>) => `${address} ${id}`

export const listAt = ({ address, id }: Pick<SnapshotKey, 'address' | 'id'>, wallet: Address) =>
  `${snapshotAt({ address, id })} ${wallet}`

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
    async contract({ address }) {
      await turn('kept contracts')
      return table.contracts.get(address)
    },
    async remove(_chain, { address, version }) {
      await turn('kept contract')
      if (table.contracts.get(address)?.version !== version) return false
      return table.contracts.delete(address)
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
    async noteHolders(snapshot, wallets) {
      await turn('kept holders')
      const key = snapshotAt(snapshot)
      table.holders.set(key, new Set([...(table.holders.get(key) ?? []), ...wallets]))
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
  async all() {
    await turn('attempts')
    return new Map(table.attempts)
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
  async beginLists({ address, id }) {
    await turn('registered')
    table.registered.set(snapshotAt({ address, id }), { address, id })
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

/** The lists that were begun, in memory. They are deleted one by one. */
export const memorySnapshotLists = (table: KeptTable, turn: Turn): SnapshotLists => ({
  async all() {
    await turn('registered')
    return [...table.registered.values()]
  },
  async markUnused({ address, id }, unusedSince) {
    await turn('registered')
    const key = snapshotAt({ address, id })
    if (table.registered.has(key)) table.registered.set(key, { address, id, unusedSince })
  },
  async delete(snapshot) {
    const key = snapshotAt(snapshot)
    for (const wallet of table.holders.get(key) ?? []) {
      await turn('deleted list')
      table.lists.delete(listAt(snapshot, wallet))
    }
    await turn('registered')
    table.holders.delete(key)
    table.registered.delete(key)
    return true
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
      const read = tables.followed.readers.get(chain)
      const { step, confirmedUpTo } = read ?? { step: 0, confirmedUpTo: 0 }
      position = read && { step, confirmedUpTo, readBy: now() }
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
    async lists(_chain, wallet, snapshots) {
      await turn('lists')
      const read = new Map(tables.kept.lists)
      const found = [...(await snapshots)].flatMap(([address, id]) => {
        const list = read.get(listAt({ address, id }, wallet))
        return list ? [[address, { ...list, tokens: new Map(list.tokens) }] as const] : []
      })
      return new Map(found)
    },
  }
}

/** What has settled of kept contracts, in memory: by contract, blocks and digest. */
export function memoryDigests(): SettledDigests {
  const noted = new Map<string, SettledDigest>()
  return {
    async add({ chain, address }, settled) {
      const { after, upTo, digest } = settled
      noted.set(`${chain} ${address} ${after} ${upTo} ${digest}`, settled)
    },
    async read({ chain, address }, { after, upTo }) {
      const its = [...noted].filter(([key]) => key.startsWith(`${chain} ${address} `))
      return its
        .map(([, settled]) => settled)
        .filter((settled) => settled.upTo > after && settled.upTo <= upTo)
        .sort((a, b) => a.upTo - b.upTo || a.after - b.after)
    },
  }
}
