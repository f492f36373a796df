import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { type Address, toAddress } from '../../../domain/nft/address.ts'
import type { SnapshotKey } from '../../../domain/ports/kept-contracts.ts'
import { batchesOf } from '../../../domain/some-at-once.ts'
import { inParallel } from '../batches.ts'
import { putItem } from '../item-writes.ts'
import { snapshotHoldersKey } from '../keys/kept-partitions.ts'
import type { Table } from '../table.ts'
import { expiresAt } from './kept-list-items.ts'

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
export function holdersIn(item: unknown): Address[] {
  const { success, output } = v.safeParse(holdersItem, item)
  if (!success) return []
  const digits = Buffer.from(output.wallets).toString('hex')
  const count = Math.floor(output.wallets.length / addressBytes)
  const digitsOf = 2 * addressBytes
  return Array.from({ length: count }, (_, index) =>
    toAddress(`0x${digits.slice(index * digitsOf, (index + 1) * digitsOf)}`),
  )
}
