import type { Chain } from '../nft/chain.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import type { ChainEvents, ChainState, ContractStandards } from '../ports/chain-events.ts'
import type { ContractCares } from '../ports/contract-care.ts'
import type { CallBudget, ContractUses } from '../ports/contract-use.ts'
import type { FollowNotes, SettledDigests } from '../ports/follow-notes.ts'
import type { Indexer, TokenOwners } from '../ports/indexer.ts'
import type { KeptContracts } from '../ports/kept-contracts.ts'
import type { SnapshotAttempts, SnapshotLists } from '../ports/snapshot-attempts.ts'
import type { TokenMetadata } from '../ports/token-metadata.ts'
import type { WorkQueue } from '../ports/work-queue.ts'
import type { SnapshotSettings } from '../snapshots/snapshot-work.ts'

/** What the upkeep of kept contracts needs. */
export interface UpkeepPorts {
  keptChains: readonly Chain[]
  snapshotSettings: Omit<SnapshotSettings, 'standard'>
  contracts: Pick<Contracts, 'get'>
  allowedTokenIds: AllowedTokenIds
  indexer: Indexer
  tokenOwners: TokenOwners
  chainEvents: ChainEvents
  chainState: ChainState
  contractStandards: ContractStandards
  followNotes: Pick<FollowNotes, 'position'>
  keptContracts: KeptContracts
  settledDigests: Pick<SettledDigests, 'read'>
  attempts: SnapshotAttempts
  snapshotLists: SnapshotLists
  tokenMetadata: TokenMetadata
  contractCares: ContractCares
  contractUses: ContractUses
  callBudget: CallBudget
  workQueue: WorkQueue
  /** In milliseconds since 1970. */
  now(): number
  /** A number from 0 to 1, without 1. */
  random(): number
  /** A new identifier of lists that begin now: see newSnapshotId. */
  newId(): string
}
