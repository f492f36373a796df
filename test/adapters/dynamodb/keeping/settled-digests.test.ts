import { describe, expect, test } from 'vitest'
import { dynamoSettledDigests } from '../../../../lib/adapters/dynamodb/keeping/settled-digests.ts'
import { settledDigestKey } from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import type { SettledDigest } from '../../../../lib/domain/holdings/kept-event.ts'
import { addressOf } from '../../../support/memory/owned-nfts.ts'
import { now, startStored } from './stored-fixture.ts'

const { aws, table, items } = await startStored()
const digests = dynamoSettledDigests(table)
const contract = { chain: 'POLYGON', address: addressOf(0xc1) } as const

const settled = (upTo: number, count = 1, digest = 'aa'.repeat(16)): SettledDigest => ({
  ...{ after: upTo - 5, upTo, count, digest },
})

describe('what has settled of contracts', () => {
  test('is read as it was written, in the order of the chain, in the blocks that are wanted', async () => {
    const all = [settled(9), settled(10, 600), settled(99), settled(100), settled(60_000_000)]
    for (const each of all.toReversed()) await digests.add(contract, each)
    await digests.add({ ...contract, chain: 'BSC' }, settled(11))
    await digests.add({ ...contract, address: addressOf(0xc2) }, settled(11))
    expect(await digests.read(contract, { after: 0, upTo: 60_000_000 })).toEqual(all)
    expect(await digests.read(contract, { after: 9, upTo: 99 })).toEqual(all.slice(1, 3))
    expect(await digests.read(contract, { after: 10, upTo: 98 })).toEqual([])
  })

  test('is not asked for without blocks', async () => {
    const before = aws.proxy.count('Query')
    expect(await digests.read(contract, { after: 10, upTo: 10 })).toEqual([])
    expect(await digests.read(contract, { after: 11, upTo: 10 })).toEqual([])
    expect(aws.proxy.count('Query') - before).toBe(0)
  })

  test('stands once if it is noted again, and beside what differs', async () => {
    const other = settled(10, 3, 'bb'.repeat(16))
    const earlier = { ...settled(10, 2), after: 4 }
    await digests.add(contract, settled(10, 2))
    await digests.add(contract, settled(10, 2))
    await digests.add(contract, other)
    await digests.add(contract, earlier)
    expect(await digests.read(contract, { after: 9, upTo: 10 })).toEqual([
      earlier,
      settled(10, 2),
      other,
    ])
  })

  test('is noted with one request, for a day, and read consistently', async () => {
    const before = aws.proxy.count('PutItem')
    await digests.add(contract, settled(10))
    expect(aws.proxy.count('PutItem') - before).toBe(1)
    const stored = await items.get(settledDigestKey(contract, settled(10)))
    expect(stored).toEqual({
      ...{
        pk: `KEPTSUM#POLYGON#${contract.address}`,
        sk: `0000000000000010#0000000000000005#${'aa'.repeat(16)}`,
      },
      ...{ count: 1, expiresAt: now / 1_000 + 86_400 },
    })
    await digests.read(contract, { after: 9, upTo: 11 })
    expect(aws.proxy.requests.at(-1)?.body.ConsistentRead).toBe(true)
  })

  test('is left out if it is damaged, so that what is read again differs', async () => {
    for (const each of [settled(10), settled(11)]) await digests.add(contract, each)
    await items.put(settledDigestKey(contract, settled(10)), { count: 'x' })
    expect(await digests.read(contract, { after: 9, upTo: 11 })).toEqual([settled(11)])
  })
})
