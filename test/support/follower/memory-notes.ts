import { isDeepStrictEqual } from 'node:util'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type {
  FollowedContract,
  FollowNotes,
  FollowPosition,
} from '../../../lib/domain/ports/follow-notes.ts'

/** What followers have noted, in memory. */
export interface MemoryNotes extends FollowNotes {
  noted: {
    lease?: { holder: string; until: number } | undefined
    position?: FollowPosition | undefined
    contracts: Map<Address, FollowedContract & { changedAt?: number }>
    /** The time of the latest movement, by wallet and contract. */
    moved: Map<string, number>
  }
  /** Leases a contract as a read does. */
  ask(contract: Address, milliseconds?: number): void
}

export function memoryNotes(now: () => number): MemoryNotes {
  const noted: MemoryNotes['noted'] = { contracts: new Map(), moved: new Map() }
  return {
    noted,
    ask(address, milliseconds = 86_400_000) {
      const leasedUntil = now() + milliseconds
      noted.contracts.set(address, { ...noted.contracts.get(address), address, leasedUntil })
    },
    async lease(_, holder, milliseconds) {
      const { lease } = noted
      const isFree = !lease || lease.holder === holder || lease.until <= now()
      if (isFree) noted.lease = { holder, until: now() + milliseconds }
      return isFree
    },
    async release(_, holder) {
      if (noted.lease?.holder === holder) noted.lease = undefined
    },
    position: async () => noted.position,
    contracts: async () => [...noted.contracts.values()].map((each) => ({ ...each })),
    async noteMovements(_, movements) {
      for (const { wallet, contract, at } of movements) {
        const key = `${wallet} ${contract}`
        noted.moved.set(key, Math.max(at, noted.moved.get(key) ?? 0))
      }
    },
    async noteMetadata(_, changes) {
      for (const { contract, at } of changes) {
        const item = noted.contracts.get(contract)
        if (item) item.changedAt = Math.max(at, item.changedAt ?? 0)
      }
    },
    async noteContracts(_, changes) {
      let isComplete = true
      for (const { from, since, suspendedUntil } of changes) {
        const item = noted.contracts.get(from.address)
        if (item && isSame(item, from)) Object.assign(item, { since, suspendedUntil })
        else isComplete = false
      }
      return isComplete
    },
    async moveTo(_, holder, position, from) {
      if (noted.lease?.holder !== holder) return false
      if (from && noted.position?.step !== from.step) return false
      noted.position = position
      return true
    },
  }
}

const isSame = (one: FollowedContract, other: FollowedContract): boolean =>
  one.leasedUntil === other.leasedUntil &&
  one.suspendedUntil === other.suspendedUntil &&
  isDeepStrictEqual(one.since, other.since)
