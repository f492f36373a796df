import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { KeptContracts } from '../ports/kept-contracts.ts'
import { hasBegun, isOver, type KeptContract, type SnapshotEnd } from './kept-contract.ts'
import { eligibleContracts } from './known-contracts.ts'

/** Why the holders of a contract are not kept, so that the indexer is asked about them (D157). */
export const notKeptReasons = [
  'chain_not_followed',
  'above_limit',
  'not_read',
  'in_preparation',
  'busy',
  'events_refused',
  'unknown_event',
  'too_many_nfts',
  'owners_not_listed',
  'doubted',
  'interrupted',
] as const

type NotKeptReason = (typeof notKeptReasons)[number]

/** Whether the holders of a contract are kept, since when (RFC 3339 in UTC), or why not. */
export type Ownership = { kept: true; since: string } | { kept: false; reason: NotKeptReason }

/** Which contracts of a product can be kept, and what is kept of them. */
export interface OwnershipPorts {
  keptChains: readonly Chain[]
  /** The number of contracts of a product on these chains that can be kept: the first ones of its list (D153). */
  keptContracts: number
  keptContract: KeptContracts['contract']
}

/**
 * Whether each of these contracts is kept. `before`: those before them in the list of the product. Throws
 * ServiceUnavailable.
 */
export async function ownershipOfEach(
  contracts: readonly ContractKey[],
  before: readonly ContractKey[],
  { keptChains, keptContracts, keptContract }: OwnershipPorts,
): Promise<Ownership[]> {
  const canBeKept = new Set(
    eligibleContracts([...before, ...contracts], { keptChains, keptContracts }),
  )
  return await Promise.all(
    contracts.map(async (contract) => {
      if (!keptChains.includes(contract.chain)) return notKept('chain_not_followed')
      if (!canBeKept.has(contract)) return notKept('above_limit')
      return ownershipOf(await keptContract(contract))
    }),
  )
}

const notKept = (reason: NotKeptReason): Ownership => ({ kept: false, reason })

const endReasons: Readonly<Record<SnapshotEnd, NotKeptReason>> = {
  gap: 'interrupted',
  reorganization: 'interrupted',
  lacking: 'interrupted',
  tooManyEvents: 'interrupted',
  unknownEvent: 'unknown_event',
  busy: 'busy',
  refused: 'events_refused',
  audit: 'doubted',
  secondLook: 'doubted',
  tooManyTokens: 'too_many_nfts',
  notListed: 'owners_not_listed',
  letGo: 'not_read',
}

function ownershipOf(contract: KeptContract | undefined): Ownership {
  if (!contract) return notKept('not_read')
  const { snapshot, ended } = contract
  if (snapshot && !isOver(snapshot, Date.now())) {
    return { kept: true, since: new Date(snapshot.at).toISOString() }
  }
  return notKept(ended && !hasBegun(contract) ? endReasons[ended.reason] : 'in_preparation')
}
