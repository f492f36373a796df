import * as v from 'valibot'
import type { SettledDigests } from '../../../domain/ports/follow-notes.ts'
import { putItem } from '../item-writes.ts'
import {
  settledDigestFromKey,
  settledDigestKey,
  settledDigestsBetween,
} from '../keys/kept-partitions.ts'
import { itemsUnder } from '../prefix-reads.ts'
import type { Table } from '../table.ts'

const retentionSeconds = 86_400

const digestItem = v.object({
  sk: v.pipe(v.string(), v.regex(/^\d{16}#\d{16}#[0-9a-f]+$/)),
  count: v.number(),
})

export function dynamoSettledDigests(table: Table): SettledDigests {
  return {
    async add(contract, { count, ...settled }) {
      const expiresAt = Math.ceil(Date.now() / 1_000) + retentionSeconds
      await putItem(table, { ...settledDigestKey(contract, settled), count, expiresAt })
    },

    async read(contract, blocks) {
      if (blocks.after >= blocks.upTo) return []
      const items = await itemsUnder(table, settledDigestsBetween(contract, blocks))
      return items.flatMap((item) => {
        const { success, output } = v.safeParse(digestItem, item)
        // Without it, what the source tells of the blocks differs, and the snapshot ends: nobody is told wrong holdings.
        return success ? [{ ...settledDigestFromKey(output.sk), count: output.count }] : []
      })
    },
  }
}
