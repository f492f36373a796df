import type { KeptReadings } from '../../domain/ports/kept-readings.ts'
import type {
  GatheredReading,
  PartName,
  ReadingId,
  ReadingScope,
  ReadPages,
} from '../../domain/reading/kept-reading.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { singleAttempt } from '../aws/aws-command.ts'
import { unlessUnavailable } from './batches.ts'
import { GetCommand, PutCommand } from './commands.ts'
import { readItem } from './item-reads.ts'
import { decodePart, digestOf, encodeParts } from './kept-part-item.ts'
import { begunKey, decodeBegun, encodeNames, partKey } from './kept-reading-item.ts'
import type { Table } from './table.ts'

/** The time for which a reading is kept, in seconds: longer than any rule permits its use (D65). */
const retentionSeconds = 25 * 3_600

/** The moment at which a reading that began at a moment expires, with its parts, in seconds since 1970. */
export const expiryOf = (readAt: number): number => Math.floor(readAt / 1_000) + retentionSeconds

/** The longest time for which a response waits until the pages are kept that its cursor goes on after, in milliseconds. */
const keepMilliseconds = 2_000

/** The parts of kept readings in the table, and the readings that are not at their end (D91). */
export interface KeptParts extends Pick<KeptReadings, 'keepBegun' | 'begun'> {
  /**
   * Keeps the pages of a reading as parts. Resolves when DynamoDB has all of them; to `undefined` if an NFT does not fit
   * into an item. Throws ServiceUnavailable if one cannot be written.
   */
  keep(scope: ReadingScope, reading: GatheredReading): Promise<PartName[] | undefined>
  /** The pages of a part, as of KeptPart. */
  read(scope: ReadingScope, id: ReadingId, name: PartName): Promise<ReadPages | undefined>
}

export function keptParts(table: Table): KeptParts {
  const { client, name: TableName } = table

  async function put(Item: Record<string, unknown>): Promise<void> {
    await client.send(singleAttempt(new PutCommand({ TableName, Item })))
  }

  async function keep(scope: ReadingScope, { readingId: id, readAt, pages }: GatheredReading) {
    const parts = await encodeParts(scope, pages)
    const expiresAt = expiryOf(readAt)
    await Promise.all(
      (parts ?? []).map(({ digest, data }) =>
        put({ ...partKey(scope, { id, digest }), data, expiresAt }),
      ),
    )
    return parts?.map(({ digest, sizes }) => ({ digest, sizes }))
  }

  async function keepWithNames(scope: ReadingScope, reading: GatheredReading) {
    const kept = await keep(scope, reading)
    if (!kept) downstreamCalls.countReading('readingsTooLarge')
    const attributes =
      kept && (await encodeNames(scope, reading, [...reading.parts, ...kept], 'begun'))
    if (!attributes) return undefined
    const { readingId: id, readAt } = reading
    const digest = digestOf(attributes.data)
    const { data } = attributes
    await put({ ...begunKey(scope, { id, digest }), data, expiresAt: expiryOf(readAt) })
    return { id, digest }
  }

  return {
    keep,

    keepBegun: (scope, reading) => unlessSlow(unlessUnavailable(keepWithNames(scope, reading))),

    async begun(scope, { id, digest }) {
      const Key = begunKey(scope, { id, digest })
      const command = new GetCommand({ TableName, Key, ConsistentRead: true })
      const answer = await unlessUnavailable(client.send(singleAttempt(command)))
      const begun = answer?.Item && (await decodeBegun(scope, answer.Item))
      return begun?.readingId === id ? begun : undefined
    },

    async read(scope, id, name) {
      const item = await readItem(table, partKey(scope, { id, digest: name.digest }))
      return await decodePart(scope, name, item?.['data'])
    },
  }
}

/** The result of work; `undefined` if it takes longer than a response waits. */
async function unlessSlow<Result>(work: Promise<Result>): Promise<Result | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), keepMilliseconds)
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
