import { describe, expect, test } from 'vitest'
import { dynamoKeptReadings } from '../../../lib/adapters/dynamodb/kept-readings.ts'
import { followKey } from '../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import type { ReadingScope } from '../../../lib/domain/reading/kept-reading.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { alice, contract } from '../../support/follower/followed.ts'
import {
  beginAtStart,
  followedTable,
  position,
  sleep,
  start,
} from '../../support/follower/stored-notes.ts'

await startTestAws()
const table = openTable()
const { empty, get, notes, put } = followedTable(table)
const scope = {
  ...{ productId: 'a product', chain: 'POLYGON', owner: alice, contracts: [contract] },
} as unknown as ReadingScope

beginAtStart(table)

/** Lets a new container read a wallet. `meanwhile` happens between its read of the position and the note. */
const container = () => {
  const readings = dynamoKeptReadings(table, { rememberSeconds: 0, followedChains: ['POLYGON'] })
  return (meanwhile: () => Promise<unknown> = async () => undefined) =>
    downstreamCalls.during(async () => {
      const positions = await readings.positions()
      await meanwhile()
      await readings.find(scope, positions)
    })
}

const asked = async () => (await get(followKey('POLYGON')))?.['askedAt']

describe('D89: a read notes that its chain is read', () => {
  test('in the position, which stays as it is, and at most once a minute over all containers', async () => {
    const stored = { ...position(), holder: 'one', leasedUntil: start + 40_000 }
    await put(followKey('POLYGON'), stored)
    const [first, second] = [container(), container()]
    await first()
    expect(await get(followKey('POLYGON'))).toMatchObject({ ...stored, askedAt: start })
    await sleep(59_000)
    await first()
    await second()
    expect(await asked()).toBe(start)
    await sleep(1_000)
    await second()
    expect(await asked()).toBe(start + 60_000)
  })

  test('which a step of the follower leaves as it is', async () => {
    await put(followKey('POLYGON'), { ...position(), holder: 'one', leasedUntil: start + 40_000 })
    await container()()
    const from = await notes.position('POLYGON')
    expect(from?.askedAt).toBe(start)
    expect(await notes.moveTo('POLYGON', 'one', position({ step: 8 }), from)).toBe(true)
    expect(await asked()).toBe(start)
  })

  test('only where the chain is followed: no item begins with the note', async () => {
    await container()()
    expect(await get(followKey('POLYGON'))).toBeUndefined()
    await put(followKey('POLYGON'), position())
    const deleted = async () => {
      await empty()
    }
    await container()(deleted)
    expect(await get(followKey('POLYGON'))).toBeUndefined()
  })
})
