import { heldBy } from '../holdings/held-by.ts'
import type { Holdings } from '../holdings/holdings.ts'
import { type KeptContract, type Snapshot, settledBlock } from '../holdings/kept-contract.ts'
import type { Address } from '../nft/address.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { FollowNotes } from '../ports/follow-notes.ts'
import type { KeptContracts, KeptList, TokenIds } from '../ports/kept-contracts.ts'

/** A contract whose snapshot is in use, at a block up to which all of its events are known. */
export interface AuditedPlace {
  contract: ContractKey
  item: KeptContract
  snapshot: Snapshot
  upTo: number
}

/** The latest such block of a contract; `undefined` if no snapshot is in use, or nothing has settled. Throws ServiceUnavailable. */
export async function auditedPlace(
  contract: ContractKey,
  ports: {
    followNotes: Pick<FollowNotes, 'position'>
    keptContracts: Pick<KeptContracts, 'contract'>
  },
): Promise<AuditedPlace | undefined> {
  const position = await ports.followNotes.position(contract.chain)
  // After the position, which says what of it has settled.
  const item = await ports.keptContracts.contract(contract)
  const { settling } = position ?? {}
  if (!settling || !item?.snapshot) return undefined
  return { contract, item, snapshot: item.snapshot, upTo: settledBlock(settling, item) }
}

/** What a wallet held at a block; `ahead`: its list is of a later block; `unlisted`: it holds more than a list has. */
export type HeldAt = Holdings | 'ahead' | 'unlisted'

/** What wallets held at a block, by their lists and the item, of the token identifiers of each. Throws ServiceUnavailable. */
export async function heldAt(
  place: AuditedPlace,
  wanted: ReadonlyMap<Address, readonly TokenIds[]>,
  keptContracts: Pick<KeptContracts, 'lists'>,
): Promise<Map<Address, HeldAt>> {
  if (wanted.size === 0) return new Map()
  const { contract, snapshot } = place
  const lists = await keptContracts.lists({ ...contract, id: snapshot.id }, wanted)
  return new Map(
    [...wanted.keys()].map((wallet) => [wallet, heldUpTo(wallet, lists.get(wallet), place)]),
  )
}

function heldUpTo(
  wallet: Address,
  list: KeptList | undefined,
  { item, snapshot, upTo }: AuditedPlace,
): HeldAt {
  if (list && list.settledUpTo > upTo) return 'ahead'
  const events = item.events.filter(({ block }) => block <= upTo)
  return heldBy(wallet, list, events, snapshot) ?? 'unlisted'
}
