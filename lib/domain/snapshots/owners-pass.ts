import { IndexerUnavailable, ServiceUnavailable } from '../failures.ts'
import type { Holdings } from '../holdings/holdings.ts'
import { listsAtOnce } from '../keeping/settle-lists.ts'
import type { Address } from '../nft/address.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { SnapshotAttempts } from '../ports/snapshot-attempts.ts'
import type { TokenOwners } from '../ports/token-owners.ts'
import { someAtOnce } from '../some-at-once.ts'
import type { Deadline } from '../time-budget.ts'
import { holdingsSum } from './holdings-sum.ts'
import type { OwnersPass } from './snapshot-attempt.ts'

/** A page of a pass: what each owner of it has, and the key of the next page. */
export interface OwnersPage {
  owners: ReadonlyMap<Address, Holdings>
  next: string | undefined
}

/** Until when a page is worked at. */
export interface PageLimits {
  now(): number
  deadline: Deadline
}

/** Reads the next page of a pass. Throws the failures of the indexer. */
export async function readOwners(
  contract: ContractKey,
  { pageKey }: OwnersPass,
  tokenOwners: TokenOwners,
  deadline: Deadline,
): Promise<OwnersPage> {
  const owners = new Map<Address, Holdings>()
  const next = await tokenOwners.page(
    { contract, pageKey, deadline },
    ({ owner, tokenId, amount }) => {
      const holdings = owners.get(owner) ?? new Map()
      if (holdings.has(tokenId)) {
        throw new IndexerUnavailable('malformed answer: an owner with an NFT twice')
      }
      owners.set(owner, holdings.set(tokenId, amount))
    },
  )
  return { owners, next }
}

/**
 * Adds what a page has to the lists of its owners, and returns the pass as it is after the page. Its sum has what the lists have. While the table
 * refuses a list, it is repeated. Throws ServiceUnavailable after the deadline.
 */
export async function writeOwners(
  contract: ContractKey,
  pass: OwnersPass,
  { owners, next }: OwnersPage,
  attempts: Pick<SnapshotAttempts, 'addToList'>,
  { now, deadline }: PageLimits,
): Promise<OwnersPass> {
  const { id } = pass
  const sum = holdingsSum(pass.sum)
  await someAtOnce([...owners], listsAtOnce, async ([owner, holdings]) => {
    if (!(await addedToList(owner, holdings))) return
    for (const [tokenId, amount] of holdings) sum.add(owner, tokenId, amount)
  })
  const place = next === undefined ? { readBy: now() } : { pageKey: next }
  return { id, sum: sum.text(), ...place }

  async function addedToList(owner: Address, holdings: Holdings): Promise<boolean> {
    while (true) {
      try {
        return await attempts.addToList({ ...contract, id }, owner, holdings)
      } catch (error) {
        if (!(error instanceof ServiceUnavailable) || now() >= deadline) throw error
      }
    }
  }
}
