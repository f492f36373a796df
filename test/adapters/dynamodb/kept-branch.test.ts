import { beforeEach, expect, test } from 'vitest'
import { latestKey } from '../../../lib/adapters/dynamodb/kept-reading-item.ts'
import { dynamoKeptReadings } from '../../../lib/adapters/dynamodb/kept-readings.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { newReadingId } from '../../../lib/domain/reading/kept-reading.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { storedItems } from '../../support/aws/stored-items.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { addressOf, nft, owned, productId } from '../../support/memory/owned-nfts.ts'

await startTestAws()
const table = openTable()
const { get, put, empty } = storedItems(table)
const readings = dynamoKeptReadings(table, { rememberSeconds: 0, followedChains: ['POLYGON'] })
const owner = addressOf(0xa)
const scope = { productId, chain: 'POLYGON', owner, contracts: [addressOf(1)] } as const
const readAt = Date.now()
const reading = {
  ...{ readingId: newReadingId(readAt), readAt, block: { number: 7, at: readAt } },
  stated: [{ number: 7, at: readAt, hash: `0x${'7'.repeat(64)}` }],
  ...{ parts: [], pages: [[owned(nft(1), owner)]] },
}

const key = latestKey(scope)

const found = async () => (await readings.find(scope, await readings.positions())).reading

beforeEach(async () => {
  await empty()
  readings.keep(scope, Promise.resolve(reading))
  await expect.poll(found).toBeDefined()
})

test('D87: a reading is kept with the blocks that its pages state', async () => {
  expect(await (await found())?.unpack()).toMatchObject({ stated: reading.stated })
})

test.each([true, false])('D87: what is noted of its blocks is found: %s', async (isPart) => {
  expect((await found())?.isPart).toBeUndefined()
  readings.noteBranch(scope, reading.readingId, isPart)
  await expect.poll(async () => (await found())?.isPart).toBe(isPart)
})

test('D87: a damaged note says that its blocks are not part of the chain', async () => {
  await put(key, { ...(await get(key)), isPart: 'yes' })
  expect((await found())?.isPart).toBe(false)
})

test('D91: a note about its blocks does not take back that the reading is not used any more', async () => {
  await downstreamCalls.during(async () => readings.noteBranch(scope, reading.readingId, false))
  await downstreamCalls.during(async () => readings.noteBranch(scope, reading.readingId, true))
  expect((await found())?.isPart).toBe(false)
})

test('D87: a note about a reading that was deleted leaves nothing', async () => {
  await empty()
  await downstreamCalls.during(async () => readings.noteBranch(scope, reading.readingId, true))
  expect(await get(key)).toBeUndefined()
})

test('D87: a note about a reading that was replaced says nothing of the later one', async () => {
  await downstreamCalls.during(async () => {
    readings.noteBranch(scope, newReadingId(readAt - 1), false)
  })
  expect((await found())?.isPart).toBeUndefined()
})
