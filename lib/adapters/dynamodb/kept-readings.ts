import * as v from 'valibot'
import type { Chain } from '../../domain/nft/chain.ts'
import type {
  ChainPosition,
  ChainPositions,
  FoundReading,
  KeptReadings,
} from '../../domain/ports/kept-readings.ts'
import type {
  GatheredReading,
  KeptReading,
  ReadingId,
  ReadingScope,
} from '../../domain/reading/kept-reading.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { singleAttempt } from '../aws/aws-command.ts'
import { askedChains } from './asked-chains.ts'
import { GetCommand, PutCommand, UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { followPositionItem } from './follow-items.ts'
import { readItemOnce, readItemsOnce } from './item-reads.ts'
import { expiryOf, keptParts } from './kept-parts.ts'
import {
  decodeReading,
  encodeNames,
  encodeWhole,
  isPartIn,
  latestKey,
  readingKey,
  readingLabel,
} from './kept-reading-item.ts'
import { followKey } from './keys/follow-partition.ts'
import { type Key, keyText } from './keys/key.ts'
import { evidenceIn, evidenceKeys } from './reading-evidence.ts'
import type { Table } from './table.ts'

/** The position of a chain of which nothing is known: everything about it is in doubt. */
const unknownPosition: ChainPosition = {
  confirmedUpTo: Number.NEGATIVE_INFINITY,
  distrustedBefore: 0,
}

/**
 * The kept readings in the table, in the partition of their wallet: the latest one of each scope, and those that cursors
 * go on in (D88), with their parts (D91). Every read is consistent, and sent once. Writes run beside the request. DynamoDB's TTL deletes the
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
  const parts = keptParts(table)

  return {
    isOn: rememberSeconds > 0 || followedChains.length > 0,

    keeps: (chain) => rememberSeconds > 0 || isFollowed(chain),

    async positions() {
      if (followedChains.length === 0) return new Map()
      return new Map(
        await Promise.all(
          followedChains.map(async (chain) => [chain, await positionOn(table, chain)] as const),
        ),
      )
    },

    async find(scope, positions) {
      const position = positionOf(scope, positions)
      if (position && position !== unknownPosition) asked.note(scope.chain, position)
      const latest = latestKey(scope)
      const keys = [latest, ...evidenceKeys(scope, position)]
      const { items, isComplete } = await readItemsOnce(table, keys)
      const found = new Map(items.map((item) => [keyText(item), item]))
      const itemAt = (key: Key) => found.get(keyText(key))
      return {
        reading: foundIn(scope, itemAt(latest)),
        evidence: evidenceIn(table, scope, position, isComplete ? itemAt : undefined),
      }
    },

    async get(scope, readingId) {
      // The reading may still be the latest one if it could not be kept for the cursor.
      for (const Key of [readingKey(scope, readingId), latestKey(scope)]) {
        const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
        const reading = Item && (await decode(scope, Item))
        if (reading?.readingId === readingId) return reading
      }
      return undefined
    },

    noteBranch: (...note) => downstreamCalls.beside(noteIsPart(table, ...note)),

    keep: (scope, reading) => downstreamCalls.beside(store(scope, reading)),

    keepBegun: parts.keepBegun,

    begun: parts.begun,

    count: (event) => downstreamCalls.countReading(counts[event]),
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
      unpack: () => decode(scope, item),
      keepForCursors() {
        const Item = { ...item, ...readingKey(scope, readingId) }
        downstreamCalls.beside(client.send(singleAttempt(new PutCommand({ TableName, Item }))))
      },
    }
  }

  function decode(
    scope: ReadingScope,
    item: Readonly<Record<string, unknown>>,
  ): Promise<KeptReading | undefined> {
    return decodeReading(scope, item, (readingId, name) => parts.read(scope, readingId, name))
  }

  /** Keeps a reading as the latest one. A later one stays, unless its time is in the future. */
  async function store(
    scope: ReadingScope,
    gathered: Promise<GatheredReading | undefined>,
  ): Promise<void> {
    const reading = await gathered
    if (!reading) return
    const attributes = await attributesOf(scope, reading)
    if (!attributes) return downstreamCalls.countReading('readingsTooLarge')
    const { readAt } = reading
    const command = new PutCommand({
      TableName,
      Item: { ...latestKey(scope), ...attributes, expiresAt: expiryOf(readAt) },
      ConditionExpression: 'attribute_not_exists(readAt) OR readAt < :readAt OR readAt > :now',
      ExpressionAttributeValues: { ':readAt': readAt, ':now': Date.now() },
    })
    if (await unlessConditionFails(client.send(singleAttempt(command))))
      downstreamCalls.countReading('readingsKept')
  }

  /** The attributes of a reading: with its pages if they fit into an item, or else after its parts are kept. */
  async function attributesOf(scope: ReadingScope, reading: GatheredReading) {
    const whole = reading.parts.length === 0 && (await encodeWhole(scope, reading))
    if (whole) return whole
    const kept = await parts.keep(scope, reading)
    return kept && (await encodeNames(scope, reading, [...reading.parts, ...kept], 'complete'))
  }
}

async function positionOn(table: Table, chain: Chain): Promise<ChainPosition> {
  const item = await readItemOnce(table, followKey(chain))
  const { success, output } = v.safeParse(followPositionItem, item)
  if (!success) return unknownPosition
  const { confirmedUpTo, distrustedBefore, step, askedAt } = output
  return { confirmedUpTo, distrustedBefore, step, askedAt }
}

async function noteIsPart(
  { client, name: TableName }: Table,
  scope: ReadingScope,
  readingId: ReadingId,
  isPart: boolean,
): Promise<void> {
  const command = new UpdateCommand({
    TableName,
    Key: latestKey(scope),
    UpdateExpression: 'SET isPart = :isPart',
    // A reading that was deleted stays deleted, and nothing is noted of another one. That it is not used any more is never
    // taken back by a note of the same moment.
    ConditionExpression: `readingId = :readingId${isPart ? ' AND attribute_not_exists(isPart)' : ''}`,
    ExpressionAttributeValues: { ':isPart': isPart, ':readingId': readingId },
  })
  await unlessConditionFails(client.send(singleAttempt(command)))
}

const counts = {
  used: 'readingsUsed',
  stale: 'readingsStale',
  tooLarge: 'readingsTooLarge',
} as const
