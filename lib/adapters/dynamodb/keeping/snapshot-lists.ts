import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { type Address, toAddress } from '../../../domain/nft/address.ts'
import type { SnapshotKey } from '../../../domain/ports/kept-contracts.ts'
import type { SnapshotLists } from '../../../domain/ports/snapshot-attempts.ts'
import { batchesOf, someAtOnce } from '../../../domain/some-at-once.ts'
import type { Deadline } from '../../../domain/time-budget.ts'
import { deleteAll, inParallel, itemsByKey } from '../batches.ts'
import { putItem, updateItem } from '../item-writes.ts'
import {
  listHeadKey,
  listItemsOf,
  snapshotFromKey,
  snapshotHoldersKey,
  snapshotHoldersPartition,
  snapshotListsKey,
  snapshotListsOf,
} from '../keys/kept-partitions.ts'
import { keysOf, keyText } from '../keys/key.ts'
import { itemsUnder, pagesUnder } from '../prefix-reads.ts'
import type { Table } from '../table.ts'
import { expiresAt, headIn } from './kept-list-items.ts'

/** The wallets whose lists are deleted between two looks at the time. */
const walletsAtOnce = 2_500

/** The lists that stand apart whose items are looked up at once. */
const listsAtOnce = 16

const listsItem = v.object({ sk: v.string(), unusedSince: v.optional(v.number()) })

/** The lists of passes and snapshots, in the table. DynamoDB's TTL deletes those that nobody deletes. */
export function dynamoSnapshotLists(table: Table): SnapshotLists {
  return {
    async all(chain) {
      const items = await itemsUnder(table, snapshotListsOf(chain))
      return items.map((item) => {
        const { sk, unusedSince } = v.parse(listsItem, item)
        return { ...snapshotFromKey(sk), unusedSince }
      })
    },

    async markUnused(snapshot, at) {
      await updateItem(table, snapshotListsKey(snapshot), {
        ...(at === undefined ? { remove: ['unusedSince'] } : { set: { unusedSince: at } }),
        conditions: [['pk', 'exists']],
      })
    },

    async delete(snapshot, until) {
      const pages = pagesUnder(table, { pk: snapshotHoldersPartition(snapshot) })
      for await (const items of pages) {
        const wallets = [...new Set(items.flatMap(holdersIn))]
        if (!(await deleteLists(table, snapshot, wallets, until))) return false
        await deleteAll(table, keysOf(items))
      }
      // The last one: until then, the rest can be found.
      await deleteAll(table, [snapshotListsKey(snapshot)])
      return true
    },
  }
}

/** Deletes the lists of wallets. `false`: the time was over before. */
async function deleteLists(
  table: Table,
  snapshot: SnapshotKey,
  wallets: readonly Address[],
  until: Deadline,
): Promise<boolean> {
  for (const some of batchesOf(wallets, walletsAtOnce)) {
    if (Date.now() >= until) return false
    const heads = await itemsByKey(
      table,
      some.map((wallet) => listHeadKey({ snapshot, wallet })),
    )
    const found = some.flatMap((wallet) => {
      const key = listHeadKey({ snapshot, wallet })
      const item = heads.get(keyText(key))
      return item ? [{ wallet, key, item }] : []
    })
    const apart = found.filter(({ item }) => standsApart(item))
    // Before the heads, which say that there is more.
    await someAtOnce(apart, listsAtOnce, ({ wallet }) => deleteApart(table, snapshot, wallet))
    await deleteAll(
      table,
      found.map(({ key }) => key),
    )
  }
  return true
}

/** Whether a list can have items beside its head: that of a damaged head can, too. */
function standsApart(item: unknown): boolean {
  const head = headIn(item)
  return !head || 'directory' in head
}

async function deleteApart(table: Table, snapshot: SnapshotKey, wallet: Address): Promise<void> {
  const pages = pagesUnder(table, listItemsOf({ snapshot, wallet }), 'pk, sk')
  for await (const items of pages) await deleteAll(table, keysOf(items))
}

/** The wallets that an item has at most: 300 KB of an item of up to 400. */
const walletsPerItem = 15_000

const addressBytes = 20

const holdersItem = v.object({ sk: v.string(), wallets: v.instance(Uint8Array) })

/** Notes wallets that are about to have lists in a snapshot. A repetition writes the same items. */
export async function putHolders(
  table: Table,
  snapshot: SnapshotKey,
  wallets: readonly Address[],
): Promise<void> {
  const batches = batchesOf([...wallets].sort(), walletsPerItem)
  await inParallel(batches, table.requestsAtOnce, async (batch) => {
    const bytes = Uint8Array.from(Buffer.from(batch.map((each) => each.slice(2)).join(''), 'hex'))
    const name = createHash('sha256').update(bytes).digest('base64url')
    const key = snapshotHoldersKey(snapshot, name)
    await putItem(table, { ...key, wallets: bytes, ...expiresAt(snapshot) })
  })
}

/** The wallets in an item of {@link putHolders}; none if it is damaged. */
function holdersIn(item: unknown): Address[] {
  const { success, output } = v.safeParse(holdersItem, item)
  if (!success) return []
  const digits = Buffer.from(output.wallets).toString('hex')
  const count = Math.floor(output.wallets.length / addressBytes)
  const digitsOf = 2 * addressBytes
  return Array.from({ length: count }, (_, index) =>
    toAddress(`0x${digits.slice(index * digitsOf, (index + 1) * digitsOf)}`),
  )
}
