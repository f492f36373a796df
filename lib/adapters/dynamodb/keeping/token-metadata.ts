import type { KeepingPorts } from '../../../domain/holdings/known-contracts.ts'
import type { DueNote, KeptNft, TokenMetadata } from '../../../domain/ports/token-metadata.ts'
import { maxClockDifference } from '../../../domain/time-budget.ts'
import { downstreamCalls } from '../../../observability/downstream-calls.ts'
import { recentlyUsed } from '../../recently-used.ts'
import { inParallel, readBatch } from '../batches.ts'
import { paginateQuery } from '../commands.ts'
import { deleteItem, type FieldCondition, putItem, updateItem } from '../item-writes.ts'
import { keyText } from '../keys/key.ts'
import { metadataDueKey, metadataDueOf, metadataKey } from '../keys/metadata-partitions.ts'
import { queryOf } from '../prefix-reads.ts'
import type { Table } from '../table.ts'
import { dueNoteIn, metadataItem, notingDue, readTimeIn } from './token-metadata-item.ts'
import { readMetadata, shownMetadata } from './token-metadata-reads.ts'

/** The time in which a container does not write a note again, in milliseconds, and the most notes that it knows. */
const notedMilliseconds = 60_000
const maxNoted = 10_000

/** The time in which a container does not keep the metadata of a token again, in milliseconds, and the most tokens that it knows. */
const keptMilliseconds = 3_600_000
const maxKnown = 10_000

/** The metadata of tokens in the table. DynamoDB's TTL deletes what nobody has read for two months. */
export function dynamoTokenMetadata(table: Table): TokenMetadata {
  const { requestsAtOnce } = table
  const shown = shownMetadata()
  const noted = recentlyUsed<string, number>(maxNoted)

  async function putAll(nfts: readonly KeptNft[], isSentOnce: boolean): Promise<void> {
    await inParallel(nfts, requestsAtOnce, async (nft) => {
      const now = Date.now()
      const item = await metadataItem(nft, now)
      shown.delete(keyText(item))
      await putItem(table, item, {
        conditions: [['readAt', 'absent or <=', nft.readAt]],
        // What was damaged can have a time in the future.
        or: ['readAt', '>', now + maxClockDifference],
        isSentOnce,
      })
    })
  }

  async function putNote(note: DueNote): Promise<void> {
    const now = Date.now()
    const key = metadataDueKey(note)
    const name = `${keyText(key)} ${note.readAt} ${note.changedAt}`
    if ((noted.get(name) ?? 0) > now) return
    await updateItem(table, key, notingDue(note, now))
    noted.set(name, now + notedMilliseconds)
  }

  return {
    get: (nfts, maxBytes) => readMetadata(table, nfts, maxBytes, shown),
    put: (nfts) => putAll(nfts, false),
    keep: (nfts) => downstreamCalls.beside(putAll(nfts, true)),
    noteDue: (notes) => downstreamCalls.beside(inParallel(notes, requestsAtOnce, putNote)),

    async *due(chain, at) {
      const query = queryOf(table, metadataDueOf(chain))
      const pages = paginateQuery(table, {
        ...query,
        FilterExpression: 'askFrom <= :at',
        ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ':at': at },
        ConsistentRead: false,
      })
      for await (const { Items = [] } of pages) {
        yield* Items.flatMap((item) => dueNoteIn(chain, item) ?? [])
      }
    },

    async readTimes(nfts) {
      const keys = nfts.map(metadataKey)
      const times = new Map<string, number | undefined>()
      await readBatch(table, keys, {
        ...{ ProjectionExpression: 'pk, sk, readAt', ConsistentRead: true },
        found: (name, item) => times.set(name, readTimeIn(item)),
      })
      return keys.map((key) => times.get(keyText(key)))
    },

    async postponeDue(notes, askFrom) {
      const taken: DueNote[] = []
      await inParallel(notes, requestsAtOnce, async (note) => {
        const update = { set: { askFrom }, conditions: unchanged(note) }
        if (await updateItem(table, metadataDueKey(note), update)) taken.push({ ...note, askFrom })
      })
      return taken
    },

    settleDue: (notes) =>
      inParallel(notes, requestsAtOnce, async (note) => {
        await deleteItem(table, metadataDueKey(note), { conditions: unchanged(note) })
      }),
  }
}

const unchanged = ({ askFrom, notedAt }: DueNote): FieldCondition[] => [
  ['askFrom', '=', askFrom],
  ['notedAt', '=', notedAt],
]

/** Returns what keeps metadata beside the request, that of a token at most once an hour in a container: see KeepingPorts. */
export function keptOnceAnHour({ keep }: Pick<TokenMetadata, 'keep'>): KeepingPorts['keepFetched'] {
  const known = recentlyUsed<string, number>(maxKnown)
  return (nfts, takes) => {
    const now = Date.now()
    const due = nfts.filter((nft) => {
      const name = keyText(metadataKey(nft))
      if ((known.get(name) ?? 0) > now || !takes(nft)) return false
      known.set(name, now + keptMilliseconds)
      return true
    })
    if (due.length > 0) keep(due)
  }
}
