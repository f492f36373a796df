import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import type { Chain } from '../../domain/nft/chain.ts'
import type {
  ChainPosition,
  ChainPositions,
  FoundReading,
  KeptReadings,
} from '../../domain/ports/kept-readings.ts'
import type { KeptReading, ReadingId, ReadingScope } from '../../domain/reading/kept-reading.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { askedChains } from './asked-chains.ts'
import { readOnce } from './batches.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { followPositionItem } from './follow-items.ts'
import { readItemOnce } from './item-reads.ts'
import {
  decodeReading,
  encodeReading,
  isPartIn,
  latestKey,
  readingKey,
  readingLabel,
} from './kept-reading-item.ts'
import { evidenceIn, evidenceKeys } from './reading-evidence.ts'
import { singleAttempt } from './single-attempt.ts'
import { followKey, type Key, type Table } from './table.ts'

/** The time for which a reading is kept, in seconds: longer than any rule permits its use (D65). */
const retentionSeconds = 25 * 3_600

/** The position of a chain of which nothing is known: everything about it is in doubt. */
const unknownPosition: ChainPosition = {
  confirmedUpTo: Number.NEGATIVE_INFINITY,
  distrustedBefore: 0,
}

/**
 * The kept readings in the table, in the partition of their wallet: the latest one of each scope, and those that cursors
 * go on in (D88). Every read is consistent, and sent once. Writes run beside the request. DynamoDB's TTL deletes the
 * readings.
 */
export function dynamoKeptReadings(
  table: Table,
  {
    rememberSeconds,
    followedChains,
  }: { rememberSeconds: number; followedChains: readonly Chain[] },
): KeptReadings {
  const { client, name: TableName } = table
  const isFollowed = (chain: Chain) => followedChains.includes(chain)
  const asked = askedChains(table)

  return {
    isOn: rememberSeconds > 0 || followedChains.length > 0,

    keeps: (chain) => rememberSeconds > 0 || isFollowed(chain),

    async positions() {
      if (followedChains.length === 0) return new Map()
      return new Map(
        await Promise.all(
          followedChains.map(async (chain) => [chain, await positionOn(chain)] as const),
        ),
      )
    },

    async find(scope, positions) {
      const position = positionOf(scope, positions)
      if (position && position !== unknownPosition) asked.note(scope.chain, position)
      const latest = latestKey(scope)
      const keys = [latest, ...evidenceKeys(scope, position)]
      const { items, isComplete } = await readOnce(table, keys)
      const found = new Map(items.map((item) => [`${item['pk']}|${item['sk']}`, item]))
      const itemAt = ({ pk, sk }: Key) => found.get(`${pk}|${sk}`)
      return {
        reading: foundIn(scope, itemAt(latest)),
        evidence: evidenceIn(table, scope, position, isComplete ? itemAt : undefined),
      }
    },

    async get(scope, readingId) {
      // The reading may still be the latest one if it could not be kept for the cursor.
      for (const Key of [readingKey(scope, readingId), latestKey(scope)]) {
        const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
        const reading = Item && (await decodeReading(scope, Item))
        if (reading?.readingId === readingId) return reading
      }
      return undefined
    },

    noteBranch: (...note) => downstreamCalls.beside(noteIsPart(...note)),

    keep: (scope, reading) => downstreamCalls.beside(store(scope, reading)),

    count: (event) => downstreamCalls.countReading(counts[event]),
  }

  async function positionOn(chain: Chain) {
    const item = await readItemOnce(table, followKey(chain))
    const { success, output } = v.safeParse(followPositionItem, item)
    if (!success) return unknownPosition
    const { confirmedUpTo, distrustedBefore, askedAt } = output
    return { confirmedUpTo, distrustedBefore, askedAt }
  }

  function positionOf({ chain }: ReadingScope, positions: ChainPositions) {
    return isFollowed(chain) ? (positions.get(chain) ?? unknownPosition) : undefined
  }

  function foundIn(
    scope: ReadingScope,
    item: Readonly<Record<string, unknown>> | undefined,
  ): FoundReading | undefined {
    const label = item && readingLabel(item)
    if (!label) return undefined
    const { readingId, ...age } = label
    return {
      ...age,
      isPart: isPartIn(item),
      unpack: () => decodeReading(scope, item),
      keepForCursors() {
        const Item = { ...item, ...readingKey(scope, readingId) }
        downstreamCalls.beside(client.send(singleAttempt(new PutCommand({ TableName, Item }))))
      },
    }
  }

  async function noteIsPart(scope: ReadingScope, readingId: ReadingId, isPart: boolean) {
    const command = new UpdateCommand({
      TableName,
      Key: latestKey(scope),
      UpdateExpression: 'SET isPart = :isPart',
      // A reading that was deleted stays deleted, and nothing is noted of another one.
      ConditionExpression: 'readingId = :readingId',
      ExpressionAttributeValues: { ':isPart': isPart, ':readingId': readingId },
    })
    await unlessConditionFails(client.send(singleAttempt(command)))
  }

  /** Keeps a reading as the latest one. A later one stays, unless its time is in the future. */
  async function store(scope: ReadingScope, reading: KeptReading): Promise<void> {
    const attributes = await encodeReading(scope, reading)
    if (!attributes) return downstreamCalls.countReading('readingsTooLarge')
    const { readAt } = reading
    const expiresAt = Math.floor(readAt / 1_000) + retentionSeconds
    const command = new PutCommand({
      TableName,
      Item: { ...latestKey(scope), ...attributes, expiresAt },
      ConditionExpression: 'attribute_not_exists(readAt) OR readAt < :readAt OR readAt > :now',
      ExpressionAttributeValues: { ':readAt': readAt, ':now': Date.now() },
    })
    if (await unlessConditionFails(client.send(singleAttempt(command))))
      downstreamCalls.countReading('readingsKept')
  }
}

const counts = {
  used: 'readingsUsed',
  stale: 'readingsStale',
  tooLarge: 'readingsTooLarge',
} as const
