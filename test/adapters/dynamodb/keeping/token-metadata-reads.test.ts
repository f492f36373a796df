import { describe, expect, test, vi } from 'vitest'
import { metadataKey } from '../../../../lib/adapters/dynamodb/keys/metadata-partitions.ts'
import type { Nft } from '../../../../lib/domain/nft/nft.ts'
import { nft, nfts } from '../../../support/memory/owned-nfts.ts'
import { holdRounds } from '../../../support/proxies/rounds.ts'
import { now } from '../stored-fixture.ts'
import { dense, everything, kept, shownOf, startTokenMetadata } from './token-metadata-fixture.ts'

const { aws, container, metadata, processOnly, requestsOf, keepOfEach } = await startTokenMetadata()

describe('a read of many tokens', () => {
  test('is of at most 100 keys in each request, four at once without a pause if they have room, and not consistent', async () => {
    await metadata().put(nfts(5).map((each) => kept(each)))
    const { rounds, onRequest } = holdRounds([1, 4, 4, 1])
    aws.interfere({ onRequest })
    const requests = await requestsOf(async () => {
      const found = await metadata().get([...nfts(1_000), ...nfts(1_000)], everything)
      expect(found.filter(Boolean)).toHaveLength(10)
    })
    expect(requests).toEqual(Array.from({ length: 10 }, () => 'BatchGetItem of 100'))
    expect(rounds.map((round) => round.length)).toEqual([1, 4, 4, 1])
    expect(aws.proxy.requests.at(-1)?.body.RequestItems.table).not.toHaveProperty('ConsistentRead')
  })

  test('ends with the NFT whose text reaches the bytes', async () => {
    await keepOfEach({ metadata: { text: `"${'é'.repeat(499)}"` } })
    const requests = (count: number, maxBytes: number) =>
      requestsOf(async () => {
        expect(await container().get(nfts(1_000), maxBytes)).toHaveLength(count)
      })
    expect(await requests(1, 0)).toEqual(['BatchGetItem of 100'])
    expect(await requests(3, 3_000)).toEqual(['BatchGetItem of 100'])
    expect(await requests(4, 3_001)).toEqual(['BatchGetItem of 100'])
    expect(await requests(101, 100_001)).toHaveLength(3)
    // One, two and then four at once, because all of them have no room.
    expect(await requests(500, 500_000)).toHaveLength(7)
    expect(await requests(1_000, 1_000_001)).toHaveLength(10)
  })

  test('asks again for what is not processed, as long as it needs it', async () => {
    await metadata().put(nfts(6).map((each) => kept(each, { metadata: dense(1_000) })))
    const [a, b, c, d, e, f] = nfts(6) as [Nft, Nft, Nft, Nft, Nft, Nft]
    const page = [a, b, nft(99), c, d, e, f]
    const read = async (maxBytes: number, turns: Nft[][]) => {
      const sizes = processOnly(...turns.map((nfts) => nfts.map(metadataKey)))
      const found = await container().get(page, maxBytes)
      aws.interfere({})
      return { sizes, found: found.map((each) => (each ? 1 : 0)) }
    }
    expect(await read(everything, [[b, d], [], [a, nft(99), c, e, f]])).toEqual({
      ...{ sizes: [7, 5, 5], found: [1, 1, 0, 1, 1, 1, 1] },
    })
    // Of what comes later, nothing is needed.
    expect(
      await read(2_000, [
        [b, d],
        [a, f],
      ]),
    ).toEqual({ sizes: [7, 5], found: [1, 1] })
    expect(await read(2_001, [[b, d, c], [a], [nft(99)]])).toEqual({
      ...{ sizes: [7, 4, 3], found: [1, 1, 0, 1] },
    })
  })

  test('reads items that are more than one response has', async () => {
    const all = nfts(8).map((each) => kept(each, { metadata: dense(300_000) }))
    await metadata().put(all)
    const requests = await requestsOf(async () => {
      expect(await metadata().get(nfts(8), everything)).toEqual(all.map(shownOf))
    })
    // The table of the tests returns about 1.4 MB at once.
    expect(requests.length).toBeGreaterThan(1)
  })
})

describe('what a container has shown', () => {
  const countsOf = (some: readonly Nft[]) => requestsOf(() => metadata().get(some, everything))

  test('is shown again for a second, without a request', async () => {
    await metadata().put([kept(nft(1)), kept(nft(2))])
    expect(await countsOf([nft(1), nft(3)])).toEqual(['BatchGetItem of 2'])
    vi.setSystemTime(now + 999)
    expect(await countsOf([nft(1), nft(2)])).toEqual(['BatchGetItem of 1'])
    expect(await countsOf([nft(1), nft(2)])).toEqual([])
    // What was not there is read again.
    expect(await countsOf([nft(3)])).toEqual(['BatchGetItem of 1'])
    vi.setSystemTime(now + 1_000)
    expect(await countsOf([nft(1), nft(2)])).toEqual(['BatchGetItem of 1'])
  })

  test('is not shown any more once the container has kept something else', async () => {
    await metadata().put([kept(nft(1))])
    await countsOf([nft(1)])
    await metadata().put([kept(nft(1), { retries: 1 })])
    expect(await metadata().get([nft(1)], everything)).toMatchObject([{ retries: 1 }])
  })

  test('counts towards the bytes', async () => {
    await metadata().put(nfts(3).map((each) => kept(each, { metadata: dense(1_000) })))
    await countsOf(nfts(3))
    expect(await metadata().get(nfts(3), 2_000)).toHaveLength(2)
  })

  test('is at most 2,000 tokens', async () => {
    await keepOfEach({})
    await countsOf(nfts(2_001))
    expect(await countsOf(nfts(2_001).slice(1))).toEqual([])
    expect(await countsOf(nfts(1))).toEqual(['BatchGetItem of 1'])
  })

  test('is at most 8 MB of texts and links', async () => {
    await keepOfEach({
      metadata: { text: `"${'x'.repeat(500_000)}"` },
      metadataLink: `ipfs://${'x'.repeat(540_000)}`,
    })
    await countsOf(nfts(10))
    expect(await countsOf(nfts(10).slice(2))).toEqual([])
    expect(await countsOf(nfts(10))).toEqual(['BatchGetItem of 2'])
  })
})
