import { type KeptContract, settledBlock } from '../holdings/kept-contract.ts'
import type { ContractKey, NftStandard } from '../nft/nft.ts'
import type { ChainEvents, ChainState, HashedBlock } from '../ports/chain-events.ts'
import type { FollowNotes } from '../ports/follow-notes.ts'
import type { TokenOwners } from '../ports/indexer.ts'
import type { KeptContracts } from '../ports/kept-contracts.ts'
import type { SnapshotAttempts } from '../ports/snapshot-attempts.ts'
import type { Deadline } from '../time-budget.ts'

export interface SnapshotPorts {
  chainEvents: Pick<ChainEvents, 'block'>
  chainState: ChainState
  tokenOwners: TokenOwners
  followNotes: Pick<FollowNotes, 'position'>
  keptContracts: KeptContracts
  attempts: SnapshotAttempts
  now(): number
  /** A new identifier of lists that begin now: see newSnapshotId. */
  newId(): string
}

export interface SnapshotSettings {
  standard: NftStandard
  /** How far the owners that the indexer lists can be behind the block that it states, in milliseconds. */
  settlingMilliseconds: number
  /** The most NFTs of a contract that is kept, one for each owner of it. */
  keptTokens: number
}

/** The work at the snapshot of a contract, until a deadline. */
export interface SnapshotWork {
  contract: ContractKey
  ports: SnapshotPorts
  settings: SnapshotSettings
  deadline: Deadline
}

/** Writes the next version of what was read of a contract; `false` if it is not there any more. */
export const writeContract = (
  { chain }: ContractKey,
  contract: KeptContract,
  { keptContracts }: SnapshotPorts,
): Promise<boolean> => keptContracts.write(chain, { ...contract, version: contract.version + 1 })

export interface SettledPlace {
  item: KeptContract
  block: HashedBlock
}

/** The settled block of a contract, as the follower has it; `undefined` if it has none, or the node that answers does not have it. */
export async function settledPlace({
  contract,
  ports,
  deadline,
}: SnapshotWork): Promise<SettledPlace | undefined> {
  const position = await ports.followNotes.position(contract.chain)
  const item = await ports.keptContracts.contract(contract)
  const settling = position?.settling
  if (!position || !settling || !item || item.prepared) return undefined
  const number = settledBlock(settling, item)
  const block = await ports.chainEvents.block(contract.chain, number, deadline)
  return block && { item, block }
}
