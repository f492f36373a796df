import type { SnapshotId } from '../holdings/kept-contract.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { Block } from './chain-events.ts'

/** Work for a contract that upkeep sends; `metadata` is for all contracts of a chain. */
export type CareWork = 'snapshot' | 'audit' | 'lists' | 'metadata'

/**
 * What the worker knows of its work for a contract. All times are in milliseconds since 1970. Before the moment of a work, nothing of it
 * is sent again: it is at work or waits, unless it was lost. 0: it was never sent.
 */
export interface ContractCare {
  snapshotFrom: number
  auditFrom: number
  listsFrom: number
  /** When attempts to take a snapshot were begun, and when snapshots were handed over, in the last week. */
  attempts: readonly number[]
  handedOver: readonly number[]
  /** Whether an attempt is begun that is to be gone on with. */
  isBegun: boolean
  /** The latest audit, and where the next one begins in the indexer's list of NFTs. */
  audited?: { id: SnapshotId; at: number; nftsPageKey?: string | undefined } | undefined
  /** When an audit or a second look has ended a snapshot whose predecessor one of them had ended. */
  doubtedAt?: number | undefined
  /** Since when the indexer has listed no owners with each look; 0: it has listed some, or was not asked. */
  unlistedSince: number
}

/** What is noted of the work for a contract; the rest stays as it is. */
export type CareNotes = Partial<Omit<ContractCare, 'snapshotFrom' | 'auditFrom' | 'listsFrom'>>

/** How far the events of a chain were read again. */
export interface LookPlace {
  /** The last block whose events were read again, or are about to be, and when that was sent, in milliseconds since 1970. */
  upTo: number
  at: number
  /** The block up to which they are read next. */
  mark?: Block | undefined
}

/** What the worker knows of its work for a chain. */
export interface ChainCare {
  contracts: ReadonlyMap<Address, ContractCare>
  metadataFrom: number
  look?: LookPlace | undefined
  looks: number
}

/** The notes of the worker about its upkeep of kept contracts. Reads are consistent. Every method throws ServiceUnavailable. */
export interface ContractCares {
  chain(chain: Chain): Promise<ChainCare>
  contract(contract: ContractKey): Promise<ContractCare>
  /** Notes that a work is not sent again until another moment than the one that was read, and more. `false`: that has changed meanwhile. */
  reserve(
    of: { chain: Chain; address?: Address },
    work: CareWork,
    moment: { before: number; until: number },
    notes?: CareNotes,
  ): Promise<boolean>
  note(contract: ContractKey, notes: CareNotes): Promise<void>
  /** Takes the turn to look at all kept contracts, if it was not taken up to a later moment than now. `false`: it was. */
  takeTurn(turn: { now: number; until: number }): Promise<boolean>
  /** Writes how far events were read again, as it was written so many times before. `false`: it was written meanwhile. */
  moveLook(chain: Chain, look: LookPlace, looks: number): Promise<boolean>
}

/** What is known of a contract for which nothing was done yet. */
export const noCare: ContractCare = {
  snapshotFrom: 0,
  auditFrom: 0,
  listsFrom: 0,
  attempts: [],
  handedOver: [],
  isBegun: false,
  unlistedSince: 0,
}
