import { IndexerUnavailable } from '../failures.ts'
import type { Address } from '../nft/address.ts'
import type { ChainEvents } from '../ports/chain-events.ts'
import type { Deadline } from '../time-budget.ts'
import {
  type Compared,
  type ComparisonPorts,
  compareBalances,
  compareOwners,
  type Subjects,
  wantedOf,
} from './audit-comparisons.ts'
import { type AuditedPlace, type HeldAt, heldAt } from './held-at.ts'

/** What a look has found. What a list has no place for is neither checked nor differs: readers ask for it. */
export interface Look {
  block: number
  checked: { wallets: number; pairs: number }
  differing: Compared
  /** What could not be compared, because the lists were brought to a later block meanwhile. */
  ahead: Compared
  /** Whether no wallet holds a token by the lists that were read first. */
  isEmpty: boolean
}

export interface LookPorts extends ComparisonPorts {
  chainEvents: Pick<ChainEvents, 'block'>
}

/**
 * Compares what is kept of a contract at a block with the chain. Throws ServiceUnavailable, and IndexerUnavailable also
 * if a node is behind.
 */
export async function lookAt(
  place: AuditedPlace,
  subjects: Subjects,
  ports: LookPorts,
  deadline: Deadline,
): Promise<Look> {
  const { contract, snapshot, upTo } = place
  // At once after the item: the longer ago it was read, the more lists are ahead of it.
  const held = await heldAt(place, wantedOf(subjects), ports.keptContracts)
  const block = await ports.chainEvents.block(contract.chain, upTo, deadline)
  if (!block) throw new IndexerUnavailable('the node does not have a block that has settled')
  const looking = { place, subjects, held, query: { contract, block, deadline } }
  const { wallets, pairs } =
    snapshot.standard === 'ERC721'
      ? await compareOwners(looking, ports)
      : await compareBalances(looking, ports)
  return {
    block: upTo,
    checked: { wallets: wallets.checked, pairs: pairs.checked },
    differing: { wallets: wallets.differing, pairs: pairs.differing },
    ahead: { wallets: wallets.ahead, pairs: pairs.ahead },
    isEmpty: isEmpty(held),
  }
}

/** Whether no wallet holds a token. */
export const isEmpty = (held: ReadonlyMap<Address, HeldAt>): boolean =>
  [...held.values()].every((of) => typeof of === 'object' && of.size === 0)
