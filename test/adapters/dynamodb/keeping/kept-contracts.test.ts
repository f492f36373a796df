import { describe, expect, test } from 'vitest'
import {
  dynamoKeptContracts,
  dynamoSettledDigests,
} from '../../../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import {
  keptContractKey,
  keptLogKey,
  settledDigestKey,
} from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import { largestTokenId, tokenIdOf } from '../../../../lib/domain/allowlist/token-id.ts'
import {
  type KeptContract,
  newKeptContract,
} from '../../../../lib/domain/holdings/kept-contract.ts'
import type { KeptEvent, Moved, SettledDigest } from '../../../../lib/domain/holdings/kept-event.ts'
import { addressOf } from '../../../../simulation/memory-chain.ts'
import { expectOneOf, now, startStored } from '../stored-fixture.ts'

const { aws, items, loseOnce, requestsOf, sentBy, table } = await startStored()
const kept = dynamoKeptContracts(table)
const chain = 'POLYGON'
const address = addressOf(0xc1)
const contract = { chain, address } as const
const [alice, bob] = [addressOf(0xa), addressOf(0xb)]

const one = (tokenId: bigint, amount = 1n): Moved => ({ tokenId: tokenIdOf(tokenId), amount })

const event = (block: number, index: number, ...moved: Moved[]): KeptEvent => ({
  ...{ block, hash: '5c5c5c5c5c5c', index, from: alice, to: bob },
  moved: moved.length > 0 ? moved : [one(7n)],
})

/** An event with numbers of every size, and with a range (ERC-2309). */
const everyMove: KeptEvent = {
  ...event(12, 3),
  from: null,
  moved: [
    one(0n),
    one(largestTokenId, largestTokenId),
    one(5n, 0n),
    { fromTokenId: tokenIdOf(0n), toTokenId: tokenIdOf(largestTokenId) },
  ],
}

const whole: KeptContract = {
  ...{ address, version: 1, settledUpTo: 90, eventsAfter: 40, settledAt: now, readUpTo: 95 },
  events: [event(9, 0), everyMove, { ...event(12, 4, one(1n, 2n)), to: null }],
  lacksSince: now - 1,
  log: { standard: 'ERC721', since: { number: 5, at: now - 2 } },
  snapshot: { id: 'a', standard: 'ERC721', step: 4, since: 70, at: 0 },
  prepared: { id: 'b', standard: 'ERC1155', step: 5, since: 80, at: 0 },
  ended: { reason: 'audit', at: now - 3, id: 'earlier', isRepeated: true },
}

/** An event of about 100 KB. */
const large = (block: number) =>
  event(block, 0, ...Array.from({ length: 1_300 }, (_, id) => one(largestTokenId - BigInt(id))))

describe('the contracts that are kept', () => {
  test('are read as they were written', async () => {
    const others = [
      { ...newKeptContract(addressOf(0xc2)), version: 1 },
      { ...newKeptContract(addressOf(0xc3)), version: 1, log: { standard: 'ERC1155' as const } },
    ]
    expect(await kept.contracts(chain)).toEqual([])
    for (const each of [whole, ...others]) expect(await kept.write(chain, each)).toBe(true)
    expect(await kept.write('BSC', { ...whole, settledUpTo: 1 })).toBe(true)
    expect(await kept.contracts(chain)).toStrictEqual([whole, ...others])
    expect(await items.get(keptContractKey(contract))).not.toHaveProperty('expiresAt')
  })

  test('are written in place of the version before', async () => {
    const second = { ...newKeptContract(address), version: 2 }
    expect(await kept.write(chain, second)).toBe(false)
    await kept.write(chain, whole)
    expect(await kept.write(chain, { ...whole, readUpTo: 96 })).toBe(false)
    expect(await kept.write(chain, { ...second, version: 3 })).toBe(false)
    expect(await kept.contracts(chain)).toEqual([whole])
    expect(await kept.write(chain, second)).toBe(true)
    // Nothing of the version before is left.
    expect(await kept.contracts(chain)).toEqual([second])
    await expectOneOf(8, (readUpTo) => kept.write(chain, { ...second, version: 3, readUpTo }))
  })

  test('are written once if the response is lost', async () => {
    loseOnce('PutItem')
    const write = async () => expect(await kept.write(chain, whole)).toBe(true)
    expect(await requestsOf(write)).toEqual(['PutItem', 'PutItem'])
    aws.interfere({})
    expect(await kept.write(chain, whole)).toBe(true)
    expect(await kept.contracts(chain)).toEqual([whole])
  })

  test('have 2,000 events of one NFT in 300 KB', async () => {
    const events = Array.from({ length: 2_000 }, (_, index) => event(60_000_000, index))
    await kept.write(chain, { ...whole, events })
    const { body } = aws.proxy.requests.at(-1) ?? {}
    const texts = body.Item.events.L.flatMap(({ L }: { L: { S?: string; N?: string }[] }) =>
      L.map(({ S = '', N = '' }) => `..${S}${N}`),
    )
    expect(texts.join('').length).toBeLessThan(300 * 1_024)
    expect((await kept.contracts(chain))[0]?.events).toEqual(events)
  })

  test.each<[string, object]>([
    ['a number', { readUpTo: 'x' }],
    ['an event', { events: [[1, 'a', 2, null, null, '5:x']] }],
    ['a standard', { snapshot: { id: 'a', standard: 'ERC20', step: 1 } }],
    ['the standard of its log', { log: { since: { number: 5, at: now } } }],
  ])(
    'are as new if they are damaged, and the next write takes their place: %s',
    async (_, damage) => {
      const other = { ...whole, address: addressOf(0xc2) }
      for (const each of [whole, other]) await kept.write(chain, each)
      const key = keptContractKey(contract)
      await items.put(key, { ...(await items.get(key)), ...damage })
      const asNew = { ...newKeptContract(address), version: 1 }
      expect(await kept.contracts(chain)).toEqual([asNew, other])
      expect(await kept.contract(contract)).toEqual(asNew)
      expect(await kept.write(chain, { ...asNew, version: 2 })).toBe(true)
      expect(await kept.contracts(chain)).toEqual([{ ...asNew, version: 2 }, other])
    },
  )
})

/** The logged events in blocks. */
async function logged(after: number, upTo: number): Promise<KeptEvent[]> {
  const events: KeptEvent[] = []
  for await (const each of kept.logged(contract, { after, upTo })) events.push(each)
  return events
}

describe('the log of settled events', () => {
  test('is read as it was written, in the order of the chain, in the blocks that are wanted', async () => {
    const events = [event(9, 2), event(10, 2), event(10, 11), everyMove, event(100, 0)]
    await kept.log(contract, events.toReversed())
    await kept.log({ ...contract, chain: 'BSC' }, [event(9, 5)])
    expect(await logged(0, 200)).toEqual(events)
    expect(await logged(9, 12)).toEqual(events.slice(1, 4))
    expect(await logged(8, 9)).toEqual(events.slice(0, 1))
    expect(await logged(12, 99)).toEqual([])
    expect(await logged(12, 12)).toEqual([])
    expect(await logged(13, 12)).toEqual([])
  })

  test('has the later one of two events at a place', async () => {
    await kept.log(contract, [event(9, 2)])
    await kept.log(contract, [everyMove, { ...event(9, 2), hash: 'aaaaaaaaaaaa' }])
    expect(await logged(0, 20)).toEqual([{ ...event(9, 2), hash: 'aaaaaaaaaaaa' }, everyMove])
  })

  test('is read page by page, with events of 300 KB', async () => {
    const events = Array.from({ length: 5 }, (_, index) => {
      const moved = [1, 2, 3].flatMap((block) => large(block).moved)
      return event(index + 1, 0, ...moved)
    })
    await kept.log(contract, events)
    const pages = await sentBy(async () => expect(await logged(0, 5)).toEqual(events))
    expect(pages.length).toBeGreaterThan(1)
  })

  test('is kept for three days', async () => {
    await kept.log(contract, [event(9, 2)])
    const stored = await items.get(keptLogKey(contract, { block: 9, index: 2 }))
    expect(stored).toMatchObject({ expiresAt: now / 1_000 + 3 * 86_400 })
  })

  test('is not read with a damaged event left out', async () => {
    await kept.log(contract, [event(9, 2), event(9, 3)])
    const key = keptLogKey(contract, { block: 9, index: 2 })
    await items.put(key, { ...(await items.get(key)), moved: 'x' })
    await expect(logged(0, 20)).rejects.toThrow()
  })
})

const digests = dynamoSettledDigests(table)

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
    for (const upTo of [98, 10, 9])
      expect(await digests.read(contract, { after: 10, upTo })).toEqual([])
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

  test('is noted with one request, for a day', async () => {
    expect(await requestsOf(() => digests.add(contract, settled(10)))).toEqual(['PutItem'])
    const stored = await items.get(settledDigestKey(contract, settled(10)))
    expect(stored).toEqual({
      ...{
        pk: `KEPTSUM#POLYGON#${contract.address}`,
        sk: `0000000000000010#0000000000000005#${'aa'.repeat(16)}`,
      },
      ...{ count: 1, expiresAt: now / 1_000 + 86_400 },
    })
  })

  test('is left out if it is damaged, so that what is read again differs', async () => {
    for (const each of [settled(10), settled(11)]) await digests.add(contract, each)
    await items.put(settledDigestKey(contract, settled(10)), { count: 'x' })
    expect(await digests.read(contract, { after: 9, upTo: 11 })).toEqual([settled(11)])
  })
})
