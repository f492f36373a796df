import * as v from 'valibot'
import type { Chain } from '../../domain/nft/chain.ts'
import type {
  ContractChange,
  FollowedContract,
  FollowNotes,
} from '../../domain/ports/follow-notes.ts'
import { inParallel } from './batches.ts'
import { followedContractItem, followPositionItem, latestReadItem } from './follow-items.ts'
import { getItem } from './item-reads.ts'
import { type FieldCondition, type FieldUpdate, updatedItem, updateItem } from './item-writes.ts'
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

/** How long a position is kept after its last write, in seconds. A position that is as old is not used any more. */
const positionRetentionSeconds = 86_400

const positionEnd = (now: number): number => Math.ceil(now / 1_000) + positionRetentionSeconds

/** What followers note, in the table. DynamoDB's TTL deletes what was not written for days. */
export function dynamoFollowNotes(table: Table): FollowNotes {
  const { requestsAtOnce } = table

  const putAll = (items: readonly (Key & Record<string, unknown>)[]) =>
    inParallel(items, requestsAtOnce, async ({ pk, sk, ...set }) => {
      await updateItem(table, { pk, sk }, { set })
    })

  return {
    async lease(chain, holder, milliseconds) {
      const now = Date.now()
      const update: FieldUpdate = {
        set: { holder, leasedUntil: now + milliseconds, expiresAt: positionEnd(now) },
        conditions: [['leasedUntil', 'absent or <=', now]],
        or: ['holder', '=', holder],
      }
      const before = await updatedItem(table, followKey(chain), update, 'UPDATED_OLD')
      return before && v.parse(leaseBefore, before)
    },
    async release(chain, holder) {
      await updateItem(table, followKey(chain), {
        remove: ['holder', 'leasedUntil'],
        conditions: [['holder', '=', holder]],
      })
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
      updateItem(table, followKey(chain), {
        set: { ...position },
        remove: (['log', 'settling'] as const).filter((name) => position[name] === undefined),
        conditions: [
          ['holder', '=', holder],
          // A write whose response was lost must not replace a later position when it arrives late.
          ...(from ? [['step', '=', from.step] as const] : []),
        ],
      }),
    async showReaders(chain, { step, confirmedUpTo }) {
      const update: FieldUpdate = {
        set: { step, confirmedUpTo, expiresAt: positionEnd(Date.now()) },
        conditions: [['step', 'absent or <=', step - 1]],
        // The chain is followed anew: its steps are counted from 1 again.
        or: ['confirmedUpTo', '<=', confirmedUpTo - 1],
      }
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

/** The change of a contract that is still as it was read. */
function changing({ from, suspendedUntil, refusedUntil, isLogged }: ContractChange): FieldUpdate {
  const set = { suspendedUntil, refusedUntil, isLogged }
  const asRead = (name: 'suspendedUntil' | 'isLogged'): FieldCondition =>
    from[name] === undefined ? [name, 'absent'] : [name, '=', from[name]]
  return {
    set,
    remove: Object.entries(set).flatMap(([name, value]) => (value === undefined ? [name] : [])),
    // Without its watch, an item that was deleted meanwhile would come back without an end.
    conditions: [asRead('suspendedUntil'), asRead('isLogged'), ['watchedUntil', '>', 0]],
  }
}
