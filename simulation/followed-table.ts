import type { Address } from '../lib/domain/nft/address.ts'
import type { Chain } from '../lib/domain/nft/chain.ts'
import type { LogEntry } from '../lib/domain/nft-events/nft-event.ts'
import type { HashedBlock } from '../lib/domain/ports/chain-events.ts'
import type {
  FollowedContract,
  FollowNotes,
  FollowPosition,
} from '../lib/domain/ports/follow-notes.ts'

/** The items of the table that following uses. */
export const emptyTable = () => ({
  positions: new Map<Chain, FollowPosition>(),
  leases: new Map<Chain, { holder: string; until: number }>(),
  /** By chain and address. */
  contracts: new Map<string, FollowedContract>(),
  /** The entries of the log of each contract, by chain and address, and then by block, index and kind. */
  logs: new Map<string, Map<string, LogEntry>>(),
  milestones: new Map<Chain, HashedBlock[]>(),
  /** What readers of kept contracts see of the positions, and when they were noted to have read. */
  readers: new Map<Chain, { step: number; confirmedUpTo: number; askedAt?: number | undefined }>(),
})

export type FollowedTable = ReturnType<typeof emptyTable>

export const contractAt = (chain: Chain, address: Address): string => `${chain} ${address}`

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
    async noteContracts(chain, changes) {
      for (const { from, ...to } of changes) {
        await turn('noteContracts')
        const key = contractAt(chain, from.address)
        const item = table.contracts.get(key)
        if (!item || !isAsRead(item, from)) return false
        const { suspendedUntil, refusedUntil, isLogged } = to
        table.contracts.set(key, { ...item, suspendedUntil, refusedUntil, isLogged })
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
      if (hasMoved) table.positions.set(chain, position)
      await turn('movedTo')
      return hasMoved
    },
    async showReaders(chain, { step, confirmedUpTo }) {
      await turn('showReaders')
      const shown = table.readers.get(chain)
      if (shown && shown.step >= step && shown.confirmedUpTo >= confirmedUpTo) return undefined
      table.readers.set(chain, { ...shown, step, confirmedUpTo })
      return { askedAt: shown?.askedAt }
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
  item.suspendedUntil === from.suspendedUntil && item.isLogged === from.isLogged
