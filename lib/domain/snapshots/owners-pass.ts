import { ServiceUnavailable } from '../failures.ts'
import type { Holdings } from '../holdings/holdings.ts'
import type { Address } from '../nft/address.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { SnapshotKey } from '../ports/kept-contracts.ts'
import type { SnapshotAttempts } from '../ports/snapshot-attempts.ts'
import type { TokenOwners } from '../ports/token-owners.ts'
import type { Deadline } from '../time-budget.ts'
import { holdingsSum } from './holdings-sum.ts'
import type { OwnersPass } from './snapshot-attempt.ts'

/** A page of a pass: the pass as it is after the page, and what each owner has, which stands together in one page. */
export interface ReadOwners {
  after: OwnersPass
  owners: ReadonlyMap<Address, Holdings>
}

/** Reads the next page of a pass. Throws the failures of the indexer. */
export async function readOwners(
  contract: ContractKey,
  pass: OwnersPass,
  { tokenOwners }: { tokenOwners: TokenOwners },
  { now, deadline }: { now(): number; deadline: Deadline },
): Promise<ReadOwners> {
  const { id, pageKey } = pass
  const owners = new Map<Address, Holdings>()
  const next = await tokenOwners.page(
    { contract, pageKey, deadline },
    ({ owner, tokenId, amount }) => {
      const holdings = owners.get(owner) ?? new Map()
      owners.set(owner, holdings.set(tokenId, amount))
    },
  )
  const sum = holdingsSum(pass.sum)
  let { tokens } = pass
  for (const [owner, holdings] of owners) {
    for (const [tokenId, amount] of holdings) sum.add(owner, tokenId, amount)
    tokens += holdings.size
  }
  const place = next === undefined ? { readBy: now() } : { pageKey: next }
  return { after: { id, sum: sum.text(), tokens, ...place }, owners }
}

/** How many lists are written at once. */
const listsAtOnce = 32

/** Writes the list of each owner of a page. While the table refuses it, it is repeated. Throws ServiceUnavailable after the deadline. */
export async function writeOwners(
  snapshot: SnapshotKey,
  owners: ReadOwners['owners'],
  attempts: Pick<SnapshotAttempts, 'putList'>,
  { now, deadline }: { now(): number; deadline: Deadline },
): Promise<void> {
  const waiting = [...owners]
  const writeNext = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [owner, holdings] = next
      await attempts.putList(snapshot, owner, holdings).catch((error) => {
        if (!(error instanceof ServiceUnavailable) || now() >= deadline) throw error
        waiting.push([owner, holdings])
      })
    }
  }
  await Promise.all(Array.from({ length: listsAtOnce }, writeNext))
}
