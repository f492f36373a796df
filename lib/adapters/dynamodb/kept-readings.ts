import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import type { Chain } from '../../domain/nft/chain.ts'
import type {
  ChainPositions,
  FoundReading,
  KeptReadings,
} from '../../domain/ports/kept-readings.ts'
import type { KeptReading, ReadingId, ReadingScope } from '../../domain/reading/kept-reading.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { unlessUnavailable } from './batches.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { followPositionItem } from './follow-items.ts'
import { readItemOnce } from './item-reads.ts'
import {
  decodeReading,
  encodeReading,
  isPartIn,
  readingAge,
  readingKey,
  readingsOf,
} from './kept-reading-item.ts'
import { readEvidence } from './reading-evidence.ts'
import { singleAttempt } from './single-attempt.ts'
import { followKey, type Table } from './table.ts'

/** The time for which a reading is kept, in seconds: longer than any rule permits its use (D65). */
const retentionSeconds = 25 * 3_600

/** The position of a chain of which nothing is known: everything about it is in doubt. */
const unknownPosition = { confirmedUpTo: Number.NEGATIVE_INFINITY, distrustedBefore: 0 }

/**
 * The kept readings in the table, in the partition of their wallet. Every read is consistent, and sent once. Writes
 * run beside the request. DynamoDB's TTL deletes the readings.
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
      const [reading, evidence] = await Promise.all([
        latest(scope),
        readEvidence(table, scope, positionOf(scope, positions)),
      ])
      return { reading, evidence }
    },

    async get(scope, readingId) {
      const Key = readingKey(scope, readingId)
      const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      return Item && (await decodeReading(scope, Item))
    },

    noteBranch: (...note) => downstreamCalls.beside(noteIsPart(...note)),

    keep: (scope, reading) => downstreamCalls.beside(store(scope, reading)),

    count: (event) => downstreamCalls.countReading(counts[event]),
  }

  async function positionOn(chain: Chain) {
    const item = await readItemOnce(table, followKey(chain))
    const { success, output } = v.safeParse(followPositionItem, item)
    if (!success) return unknownPosition
    const { confirmedUpTo, distrustedBefore } = output
    return { confirmedUpTo, distrustedBefore }
  }

  function positionOf({ chain }: ReadingScope, positions: ChainPositions) {
    return isFollowed(chain) ? (positions.get(chain) ?? unknownPosition) : undefined
  }

  async function latest(scope: ReadingScope): Promise<FoundReading | undefined> {
    const { pk, prefix } = readingsOf(scope)
    const command = new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 1,
    })
    const [item] = (await unlessUnavailable(client.send(singleAttempt(command))))?.Items ?? []
    const age = item && readingAge(item)
    return age && { ...age, isPart: isPartIn(item), unpack: () => decodeReading(scope, item) }
  }

  async function noteIsPart(scope: ReadingScope, readingId: ReadingId, isPart: boolean) {
    const command = new UpdateCommand({
      TableName,
      Key: readingKey(scope, readingId),
      UpdateExpression: 'SET isPart = :isPart',
      // A reading that was deleted stays deleted.
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':isPart': isPart },
    })
    await unlessConditionFails(client.send(singleAttempt(command)))
  }

  async function store(scope: ReadingScope, reading: KeptReading): Promise<void> {
    const content = await encodeReading(scope, reading)
    if (!content) return downstreamCalls.countReading('readingsTooLarge')
    const expiresAt = Math.floor(reading.readAt / 1_000) + retentionSeconds
    const Item = { ...readingKey(scope, reading.readingId), ...content, expiresAt }
    await client.send(singleAttempt(new PutCommand({ TableName, Item })))
    downstreamCalls.countReading('readingsKept')
  }
}

const counts = {
  used: 'readingsUsed',
  stale: 'readingsStale',
  tooLarge: 'readingsTooLarge',
} as const
