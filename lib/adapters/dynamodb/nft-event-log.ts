import * as v from 'valibot'
import type { Chain } from '../../domain/nft/chain.ts'
import type { LoggedPart, NftEventLog } from '../../domain/ports/nft-event-log.ts'
import { inParallel, itemsByKey } from './batches.ts'
import { QueryCommand } from './commands.ts'
import { logPosition } from './follow-items.ts'
import { updateItem } from './item-writes.ts'
import {
  followedContractKey,
  followKey,
  logEntryKey,
  milestonesOf,
} from './keys/follow-partition.ts'
import { type Key, keyText } from './keys/key.ts'
import { entryIn, milestoneItem, tokensPerItem } from './log-items.ts'
import { queryOf } from './prefix-reads.ts'
import type { Table } from './table.ts'

const positionItem = v.object({ log: logPosition })

const watchItem = v.object({
  watchedUntil: v.optional(v.number(), 0),
  pushedUntil: v.optional(v.number(), 0),
  refusedUntil: v.optional(v.number(), 0),
})

/** How long the item of a contract stays after its watch has ended, in milliseconds. */
const retentionMilliseconds = 86_400_000

/** How many milestones are read first to find a time, before all others: most readers look for one of the last minutes. */
const latestMilestones = 6

/** The logs of contracts in the table. The follower writes them (D117). Reads are consistent. */
export function dynamoNftEventLog(table: Table): NftEventLog {
  const { client, requestsAtOnce } = table
  return {
    async positions(chains) {
      const items = await itemsOf(chains.map(followKey))
      const positions = new Map<Chain, LoggedPart>()
      for (const [index, item] of items.entries()) {
        const { success, output } = v.safeParse(positionItem, item)
        const chain = chains[index]
        if (chain && success) positions.set(chain, output.log)
      }
      return positions
    },

    async leases(contracts) {
      const items = await itemsOf(contracts.map(followedContractKey))
      return items.map((item = {}) => v.parse(watchItem, item))
    },

    watch: (contracts, { until, isPushed }) =>
      inParallel(contracts, requestsAtOnce, async (contract) => {
        const expiresAt = Math.ceil((until + retentionMilliseconds) / 1_000)
        const pushed = isPushed && { pushedUntil: until }
        const set = { watchedUntil: until, ...pushed, expiresAt }
        await updateItem(table, followedContractKey(contract), { set })
      }),

    async entries(contract, { from, upTo, limit }) {
      const place = Math.floor((from.place ?? 0) / tokensPerItem) * tokensPerItem
      const { pk, sk: first } = logEntryKey(contract, { ...from, place })
      const { sk: end } = logEntryKey(contract, { block: upTo + 1 })
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          ...queryOf(table, { pk, between: [first, end] }),
          // The first can be one of which the reader has seen all.
          Limit: limit + 1,
        }),
      )
      const entries = Items.map(entryIn).filter(({ block }) => block.number <= upTo)
      return { entries, hasMore: LastEvaluatedKey !== undefined }
    },

    async milestonesAround(chain, time) {
      let after: number | undefined
      for await (const { number, at } of milestones(chain)) {
        if (at >= time) after = number
        if (at <= time) return { before: number, after }
      }
      return { before: 0, after }
    },
  }

  async function* milestones(chain: Chain) {
    let last: Record<string, unknown> | undefined
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          ...queryOf(table, milestonesOf(chain)),
          ScanIndexForward: false,
          ...(last ? { ExclusiveStartKey: last } : { Limit: latestMilestones }),
        }),
      )
      for (const item of Items) yield v.parse(milestoneItem, item)
      last = LastEvaluatedKey
    } while (last)
  }

  async function itemsOf(keys: readonly Key[]): Promise<(Record<string, unknown> | undefined)[]> {
    const found = await itemsByKey(table, keys)
    return keys.map((key) => found.get(keyText(key)))
  }
}
