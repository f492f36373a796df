import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { TokenId } from '../../../domain/allowlist/token-id.ts'
import { ServiceUnavailable } from '../../../domain/failures.ts'
import type { Holdings } from '../../../domain/holdings/holdings.ts'
import { everyToken } from '../../../domain/ports/kept-contracts.ts'
import type { SnapshotAttempts } from '../../../domain/ports/snapshot-attempts.ts'
import type { SnapshotAttempt } from '../../../domain/snapshots/snapshot-attempt.ts'
import { getItem, readItem } from '../item-reads.ts'
import { deleteItem, type FieldCondition, putItem } from '../item-writes.ts'
import {
  keptAddressFromKey,
  type ListKey,
  listHeadKey,
  snapshotAttemptKey,
  snapshotAttemptsOf,
  snapshotListsKey,
} from '../keys/kept-partitions.ts'
import type { Key } from '../keys/key.ts'
import { itemsUnder } from '../prefix-reads.ts'
import type { Table } from '../table.ts'
import { changeList } from './kept-list-change.ts'
import { expiresAt } from './kept-list-items.ts'
import { listsWith, type ReadList } from './kept-list-reads.ts'

const retentionSeconds = 7 * 86_400

/** A list of as many tokens can be too long: of the longest identifiers, 1,900 take 300 KB. */
const longTokens = 1_000

const maxTries = 5

const ownersPass = v.object({
  id: v.string(),
  pageKey: v.optional(v.string()),
  isWriting: v.optional(v.boolean()),
  readBy: v.optional(v.number()),
  count: v.number(),
  sum: v.pipe(v.string(), v.regex(/^\d+$/)),
})

const attemptItem = v.object({
  version: v.number(),
  takenUntil: v.number(),
  standard: v.picklist(['ERC721', 'ERC1155']),
  statedAt: v.number(),
  first: ownersPass,
  second: v.optional(ownersPass),
  restarts: v.optional(v.number()),
  agreed: v.optional(
    v.object({
      block: v.object({ number: v.number(), hash: v.string(), at: v.number() }),
      corrected: v.number(),
    }),
  ),
})

/** An attempt with the identifier of its write: two processes can write the same version with the same content. */
type AttemptItem = Key & Record<string, unknown> & { writeId: string }

/** The attempts to take snapshots, in the table. DynamoDB's TTL deletes those that nobody ends. */
export function dynamoSnapshotAttempts(table: Table): SnapshotAttempts {
  return {
    get: async (contract) => attemptIn(await getItem(table, snapshotAttemptKey(contract))),

    async all(chain) {
      const items = await itemsUnder(table, snapshotAttemptsOf(chain))
      return new Map(
        items.flatMap((item) => {
          const attempt = attemptIn(item)
          return attempt ? [[keptAddressFromKey(`${item['sk']}`), attempt] as const] : []
        }),
      )
    },

    async write(contract, attempt) {
      const item: AttemptItem = {
        ...snapshotAttemptKey(contract),
        ...attempt,
        writeId: randomUUID(),
        expiresAt: Math.ceil(Date.now() / 1_000) + retentionSeconds,
      }
      const before = attempt.version - 1
      const isWritten = await putItem(table, item, {
        conditions: [before === 0 ? ['pk', 'absent'] : ['version', '=', before]],
        or: ['writeId', '=', item.writeId],
      })
      if (isWritten || before !== 0) return isWritten
      return await replaceDamaged(table, item, await getItem(table, snapshotAttemptKey(contract)))
    },

    async end(contract, version) {
      const conditions = [['version', '=', version]] as const
      await deleteItem(table, snapshotAttemptKey(contract), { conditions })
    },

    async beginLists(snapshot) {
      await putItem(table, { ...snapshotListsKey(snapshot), ...expiresAt(snapshot) })
    },

    async addToList(snapshot, wallet, tokens) {
      const list = { snapshot, wallet }
      // Nearly every list is new and short, so that it is not read.
      const isNew = await changeList(table, list, undefined, { settledUpTo: 0, balances: tokens })
      if (isNew && tokens.size < longTokens) return true
      for (let tries = 0; tries < maxTries; tries += 1) {
        const from = await wholeList(table, list)
        if (from?.isTooLong) return false
        const balances = differences(from, tokens)
        if (from && (from.settledUpTo > 0 || balances.size === 0)) return true
        await changeList(table, list, from, { settledUpTo: 0, balances })
      }
      throw new ServiceUnavailable('DynamoDB: a list changed over and over')
    },
  }
}

function attemptIn(item: unknown): SnapshotAttempt | undefined {
  const { success, output } = v.safeParse(attemptItem, item)
  return success ? output : undefined
}

/**
 * Puts a first attempt in place of a damaged item, which counts as none. `false`: the item is not damaged, or its version or its write
 * are not as they were read any more.
 */
async function replaceDamaged(
  table: Table,
  item: AttemptItem,
  damaged: Record<string, unknown> | undefined,
): Promise<boolean> {
  if (!damaged || attemptIn(damaged)) return false
  const conditions = ['version', 'writeId'].map((name): FieldCondition => {
    const value = damaged[name]
    return value === undefined ? [name, 'absent'] : [name, '=', value as string | number]
  })
  return await putItem(table, item, { conditions, or: ['writeId', '=', item.writeId] })
}

async function wholeList(table: Table, list: ListKey): Promise<ReadList | undefined> {
  const item = await readItem(table, listHeadKey(list))
  return item && (await listsWith(table, [{ list, item, wanted: [everyToken] }])).get(list)
}

const differences = (from: ReadList | undefined, tokens: Holdings): Map<TokenId, bigint> =>
  new Map([...tokens].filter(([tokenId, balance]) => from?.tokens.get(tokenId) !== balance))
