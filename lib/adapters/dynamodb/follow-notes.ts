import * as v from 'valibot'
import type { Chain } from '../../domain/nft/chain.ts'
import type { FollowedContract, FollowNotes } from '../../domain/ports/follow-notes.ts'
import { inParallel } from './batches.ts'
import { followedContractItem, followPositionItem, latestReadItem } from './follow-items.ts'
import { changing, endingLease, leasing, moving, showing } from './follow-updates.ts'
import { getItem } from './item-reads.ts'
import { updatedItem, updateItem } from './item-writes.ts'
import {
  followedAddressFromKey,
  followedContractKey,
  followedContractsOf,
  followKey,
  milestoneKey,
  milestonesOf,
  readersKey,
} from './keys/follow-partition.ts'
import type { Key } from './keys/key.ts'
import { endOfLog, logItems, milestoneItem } from './log-items.ts'
import { itemsUnder } from './prefix-reads.ts'
import type { Table } from './table.ts'

/** The holder that a lease had before it was taken or renewed. */
const leaseBefore = v.pipe(
  v.object({ holder: v.fallback(v.optional(v.string()), undefined) }),
  v.transform(({ holder: before }) => ({ before })),
)

/** What followers note, in the table. DynamoDB's TTL deletes what was not written for days. */
export function dynamoFollowNotes(table: Table): FollowNotes {
  const { requestsAtOnce } = table

  const putAll = (items: readonly (Key & Record<string, unknown>)[]) =>
    inParallel(items, requestsAtOnce, async ({ pk, sk, ...set }) => {
      await updateItem(table, { pk, sk }, { set })
    })

  return {
    async lease(chain, holder, milliseconds) {
      const update = leasing(holder, Date.now(), milliseconds)
      const before = await updatedItem(table, followKey(chain), update, 'UPDATED_OLD')
      return before && v.parse(leaseBefore, before)
    },
    async release(chain, holder) {
      await updateItem(table, followKey(chain), endingLease(holder))
    },
    async position(chain) {
      return v.parse(followPositionItem, await getItem(table, followKey(chain)))
    },
    contracts: (chain) => readContracts(table, chain),
    async noteContracts(chain, changes) {
      let isComplete = true
      await inParallel(changes, requestsAtOnce, async (change) => {
        const key = followedContractKey({ chain, address: change.from.address })
        if (!(await updateItem(table, key, changing(change)))) isComplete = false
      })
      return isComplete
    },
    log: (chain, logs) =>
      putAll(
        logs.flatMap(({ contract: address, entries }) =>
          entries.flatMap((entry) => logItems({ chain, address }, entry)),
        ),
      ),
    noteMilestone: (chain, { number, hash, at }) =>
      putAll([{ ...milestoneKey(chain, number), number, hash, at, expiresAt: endOfLog(at) }]),
    async milestones(chain) {
      const items = await itemsUnder(table, milestonesOf(chain))
      return items.map((item) => v.parse(milestoneItem, item)).reverse()
    },
    moveTo: (chain, holder, position, from) =>
      updateItem(table, followKey(chain), moving(holder, position, from)),
    async showReaders(chain, position) {
      const update = showing(position, Date.now())
      const updated = await updatedItem(table, readersKey(chain), update, 'ALL_NEW')
      return updated && v.parse(latestReadItem, updated)
    },
  }
}

async function readContracts(table: Table, chain: Chain): Promise<FollowedContract[]> {
  const found: FollowedContract[] = []
  for (const item of await itemsUnder(table, followedContractsOf(chain))) {
    const { success, output } = v.safeParse(followedContractItem, item)
    if (!success) continue
    const { sk, ...contract } = output
    found.push({ address: followedAddressFromKey(sk), ...contract })
  }
  return found
}
