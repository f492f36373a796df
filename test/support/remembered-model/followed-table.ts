import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { OwnedNft } from '../../../lib/domain/nft/owned-nft.ts'
import type { LogEntry } from '../../../lib/domain/nft-events/nft-event.ts'
import type { HashedBlock } from '../../../lib/domain/ports/chain-events.ts'
import type {
  FollowedContract,
  FollowNotes,
  FollowPosition,
} from '../../../lib/domain/ports/follow-notes.ts'
import type { KeptBalance } from '../../../lib/domain/ports/kept-balances.ts'
import type { BegunReading, ReadPages } from '../../../lib/domain/reading/kept-reading.ts'

/** A reading that names its parts, or has its pages. */
export interface KeptNames extends BegunReading {
  pages?: ReadPages
}

/** The items of the table that remembering and following use. */
export interface FollowedTable {
  positions: Map<Chain, FollowPosition>
  leases: Map<Chain, { holder: string; until: number }>
  /** By chain and address. */
  contracts: Map<string, FollowedContract & { metadataChangedAt?: number | undefined }>
  /** The entries of the log of each contract, by chain and address, and then by block, index and kind. */
  logs: Map<string, Map<string, LogEntry>>
  milestones: Map<Chain, HashedBlock[]>
  /** The latest movement by chain, wallet and contract. */
  moved: Map<string, { block: number; at: number }>
  /** The latest kept reading of each scope, and those that are kept for cursors, by scope and id. */
  readings: Map<string, { reading: KeptNames; expiresAt: number; isPart?: boolean }>
  /** The parts of readings, and the readings that are not at their end, by reading id and digest. */
  parts: Map<string, { page: readonly OwnedNft[]; expiresAt: number }>
  begun: Map<string, { reading: BegunReading; expiresAt: number }>
  balances: Map<Address, KeptBalance>
  /** When a refresh of a contract was last at work: now, while it is. */
  refreshed: Map<string, { at: number; isAtWork: boolean }>
}

export const emptyTable = (): FollowedTable => ({
  positions: new Map(),
  leases: new Map(),
  contracts: new Map(),
  logs: new Map(),
  milestones: new Map(),
  moved: new Map(),
  readings: new Map(),
  parts: new Map(),
  begun: new Map(),
  balances: new Map(),
  refreshed: new Map(),
})

export const contractAt = (chain: Chain, address: Address): string => `${chain} ${address}`

export const movementAt = (chain: Chain, wallet: Address, contract: Address): string =>
  `${chain} ${wallet} ${contract}`

/** Gives a process its turn at a port call: it waits there, and can be killed. */
export type Turn = (call: string) => Promise<void>

/** What the follower notes, in memory: each item changes at one moment. */
export function memoryFollowNotes(
  table: FollowedTable,
  now: () => number,
  turn: Turn = async () => undefined,
): FollowNotes {
  return {
    async lease(chain, holder, milliseconds) {
      await turn('lease')
      const lease = table.leases.get(chain)
      const isFree = !lease || lease.holder === holder || lease.until <= now()
      if (isFree) table.leases.set(chain, { holder, until: now() + milliseconds })
      await turn('leased')
      return isFree ? { before: lease?.holder } : undefined
    },
    async release(chain, holder) {
      await turn('release')
      if (table.leases.get(chain)?.holder === holder) table.leases.delete(chain)
    },
    async position(chain) {
      await turn('position')
      return table.positions.get(chain)
    },
    async contracts(chain) {
      await turn('contracts')
      const found = [...table.contracts].filter(([key]) => key.startsWith(`${chain} `))
      return found.map(([, contract]) => ({ ...contract }))
    },
    async noteMovements(chain, movements) {
      for (const { wallet, contract, block, at } of movements) {
        await turn('noteMovements')
        const key = movementAt(chain, wallet, contract)
        if ((table.moved.get(key)?.at ?? 0) < at) table.moved.set(key, { block, at })
      }
    },
    async noteMetadata(chain, changes) {
      for (const { contract, at } of changes) {
        await turn('noteMetadata')
        const item = table.contracts.get(contractAt(chain, contract))
        if (item && (item.metadataChangedAt ?? 0) < at) item.metadataChangedAt = at
      }
    },
    async noteContracts(chain, changes) {
      for (const { from, ...to } of changes) {
        await turn('noteContracts')
        const key = contractAt(chain, from.address)
        const item = table.contracts.get(key)
        if (!item || !isAsRead(item, from)) return false
        const { since, suspendedUntil, refusedUntil, isLogged } = to
        table.contracts.set(key, { ...item, since, suspendedUntil, refusedUntil, isLogged })
      }
      return true
    },
    async log(chain, logs) {
      for (const { contract, entries } of logs) {
        for (const entry of entries) {
          await turn('log')
          const key = contractAt(chain, contract)
          const log = table.logs.get(key) ?? new Map()
          table.logs.set(key, log.set(entryKey(entry), entry))
        }
      }
    },
    async noteMilestone(chain, { number, hash, at }) {
      await turn('noteMilestone')
      const others = (table.milestones.get(chain) ?? []).filter((each) => each.number !== number)
      table.milestones.set(chain, [...others, { number, hash, at }])
    },
    async milestones(chain) {
      await turn('milestones')
      return [...(table.milestones.get(chain) ?? [])].sort((a, b) => b.number - a.number)
    },
    async moveTo(chain, holder, position, from) {
      await turn('moveTo')
      const isFrom = !from || table.positions.get(chain)?.step === from.step
      const hasMoved = table.leases.get(chain)?.holder === holder && isFrom
      const { askedAt } = table.positions.get(chain) ?? {}
      if (hasMoved)
        table.positions.set(chain, { ...position, ...(askedAt !== undefined && { askedAt }) })
      await turn('movedTo')
      return hasMoved
    },
  }
}

/** The order of these texts is that of the chain: missed events come before the events of their block. */
export const entryKey = ({ block, logIndex, content }: LogEntry): string => {
  const digits = (number: number) => `${number}`.padStart(16, '0')
  const reason = content.kind === 'missed' ? `!${content.reason}` : ''
  return `${digits(block.number)}#${logIndex === undefined ? reason : digits(logIndex)}`
}

const isAsRead = (item: FollowedContract, from: FollowedContract): boolean =>
  item.leasedUntil === from.leasedUntil &&
  item.since?.number === from.since?.number &&
  item.suspendedUntil === from.suspendedUntil &&
  item.isLogged === from.isLogged
