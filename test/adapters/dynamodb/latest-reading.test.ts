import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { latestKey, readingKey } from '../../../lib/adapters/dynamodb/kept-reading-item.ts'
import { dynamoKeptReadings } from '../../../lib/adapters/dynamodb/kept-readings.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { type GatheredReading, newReadingId } from '../../../lib/domain/reading/kept-reading.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { storedItems } from '../../support/aws/stored-items.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { addressOf, nft, owned, productId } from '../../support/memory/owned-nfts.ts'

const aws = await startTestAws()
const table = openTable()
const { get, put, empty } = storedItems(table)
const readings = dynamoKeptReadings(table, { rememberSeconds: 3_600, followedChains: [] })
const owner = addressOf(0xa)
const scope = { productId, chain: 'POLYGON', owner, contracts: [addressOf(1)] } as const
const now = Date.now()

/** A reading of one NFT that began at a moment. */
const readingAt = (readAt: number): GatheredReading => ({
  ...{ readingId: newReadingId(readAt), readAt, block: { number: 7, at: readAt }, stated: [] },
  ...{ parts: [], pages: [[owned(nft(1), owner)]] },
})

/** Keeps a reading, and says how many were kept. */
const keep = (reading: GatheredReading) =>
  downstreamCalls.during(async () => {
    readings.keep(scope, Promise.resolve(reading))
    await downstreamCalls.besideDone()
    return downstreamCalls.counts().readingsKept ?? 0
  })

const find = async () => await readings.find(scope, await readings.positions())

const latest = async () => (await (await find()).reading?.unpack())?.readingId

/** Has DynamoDB leave all items unprocessed but those of some sort keys. */
function processOnly(isProcessed: (sk: string) => boolean): void {
  aws.interfere({
    onResponse({ action, body }, answer) {
      if (action !== 'BatchGetItem') return undefined
      const [[name, { Keys }] = missing] = Object.entries<{ Keys: StoredKey[] }>(body.RequestItems)
      const { Responses } = JSON.parse(String(answer.body))
      const rest = Keys.filter(({ sk }) => !isProcessed(sk.S))
      const items = Responses[name].filter(({ sk }: StoredKey) => isProcessed(sk.S))
      return {
        status: 200,
        body: { Responses: { [name]: items }, UnprocessedKeys: { [name]: { Keys: rest } } },
      }
    },
  })
}

interface StoredKey {
  sk: { S: string }
}

const missing: [string, { Keys: StoredKey[] }] = ['', { Keys: [] }]

beforeEach(empty)
afterEach(() => aws.interfere({}))

describe('D88: the latest reading of a scope', () => {
  test('is found with its evidence in one request', async () => {
    const reading = readingAt(now)
    await keep(reading)
    const before = aws.proxy.requests.length
    expect(await latest()).toBe(reading.readingId)
    expect(aws.proxy.requests.slice(before).map(({ action }) => action)).toEqual(['BatchGetItem'])
  })

  test('is that which began last, whatever is complete last', async () => {
    const [earlier, later] = [readingAt(now - 2), readingAt(now - 1)]
    expect(await keep(earlier)).toBe(1)
    expect(await keep(later)).toBe(1)
    expect(await keep(earlier)).toBe(0)
    expect(await latest()).toBe(later.readingId)
  })

  test.each([
    ['in the future', { readAt: now + 3_600_000 }],
    ['that is missing', { readAt: undefined }],
  ])('is replaced if it has a time %s', async (_, damage) => {
    await keep(readingAt(now - 2))
    await put(latestKey(scope), { ...(await get(latestKey(scope))), ...damage })
    const reading = readingAt(now - 1)
    expect(await keep(reading)).toBe(1)
    expect(await latest()).toBe(reading.readingId)
  })

  test('is found without its evidence, which is then in doubt', async () => {
    await keep(readingAt(now - 1))
    processOnly((sk) => sk.startsWith('READING#'))
    const { reading, evidence } = await find()
    expect(await reading?.unpack()).toBeDefined()
    expect(evidence.refreshedAt).toBe(evidence.now)
  })

  test('is as none if DynamoDB returns only its evidence, and everything is in doubt', async () => {
    await keep(readingAt(now - 1))
    processOnly((sk) => !sk.startsWith('READING#'))
    const { reading, evidence } = await find()
    expect(reading).toBeUndefined()
    expect(evidence.refreshedAt).toBe(evidence.now)
  })
})

/** The pages of the reading with an id. */
const pagesOf = async ({ readingId }: GatheredReading) =>
  await (await readings.get(scope, readingId))?.parts[0]?.read()

describe('D88: a reading that a cursor goes on in', () => {
  const keepForCursors = () =>
    downstreamCalls.during(async () => (await find()).reading?.keepForCursors())

  test('is found after a later one has replaced it, with the same pages', async () => {
    const reading = readingAt(now - 2)
    await keep(reading)
    await keepForCursors()
    await keep(readingAt(now - 1))
    expect(await pagesOf(reading)).toEqual(reading.pages)
  })

  test('expires with it', async () => {
    const reading = readingAt(now - 1)
    await keep(reading)
    await keepForCursors()
    const copy = await get(readingKey(scope, reading.readingId))
    expect(copy?.['expiresAt']).toBe((await get(latestKey(scope)))?.['expiresAt'])
  })

  test('is found while it is the latest one, if it could not be kept for the cursor', async () => {
    const reading = readingAt(now - 2)
    await keep(reading)
    expect(await pagesOf(reading)).toEqual(reading.pages)
    await keep(readingAt(now - 1))
    expect(await readings.get(scope, reading.readingId)).toBeUndefined()
  })

  test('is not found under the id of another one', async () => {
    const [one, another] = [readingAt(now - 2), readingAt(now - 1)]
    await keep(one)
    const { data } = (await get(latestKey(scope))) ?? {}
    await put(readingKey(scope, another.readingId), { data })
    expect(await readings.get(scope, another.readingId)).toBeUndefined()
  })
})
