import { numbers } from '@player-nfts/local/samples'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tableOf } from '../support/aws/table.ts'
import { type Holder, keptReads, tokenIdsOf } from '../support/requests/kept-reads.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { nameOf, startCountedService } from '../support/services/counted-service.ts'

const service = await startCountedService()
const { holder, confirm, keep, know, reader } = keptReads(service)

const failing = { isDown: false }
service.interfere((request) =>
  failing.isDown && nameOf(request) === 'getNFTsForOwner' ? { status: 500 } : undefined,
)
beforeEach(() => confirm())
afterEach(() => {
  failing.isDown = false
})

const withHeader = (value: string) => ({ headers: { 'cache-control': value } })
const stale = withHeader('stale-if-error=600')

/** A holder of 1, 2 and 3 of contracts, of which the first one is kept with some of them, and with the metadata of 1 and 2. */
async function keptHolder(contracts = 1, held = ['1', '2']): Promise<Holder> {
  const of = await holder({ chains: Array.from({ length: contracts }, () => 'POLYGON') })
  await keep(of.contract, of.wallets, held)
  await know(of.contract, ['1', '2'])
  return of
}

const seconds = (count: number) => Date.now() - count * 1_000

/** The requests of a read of a new container that asks for everything. */
const asking = { GetSecretValue: 1, GetItem: 1, Query: 1, BatchGetItem: 2, getNFTsForOwner: 1 }

describe('D156: what is asked', () => {
  test.each<[string, number, string, boolean]>([
    ['the confirmed block is not older than 60 seconds', 55, '', false],
    ['the confirmed block is older than 60 seconds', 61, '', true],
    ['the caller accepts a lower age', 12, 'max-age=10', true],
  ])('if %s', async (_, age, header, isAsked) => {
    const of = await keptHolder()
    await confirm(seconds(age))
    const counts = await service.countsOf(async () => {
      const answer = await reader()(of, header ? withHeader(header) : {})
      expect(tokenIdsOf(answer)).toEqual(numbers(1, isAsked ? 3 : 2))
      expect(Math.abs(Date.parse(answer.json.asOf) - seconds(isAsked ? 0 : age))).toBeLessThan(9e3)
    })
    expect('getNFTsForOwner' in counts).toBe(isAsked)
  })

  test('no position is read for a caller who accepts nothing that is kept', async () => {
    const of = await keptHolder()
    const counts = await service.countsOf(() => reader()(of, withHeader('no-cache')))
    // The read of the contract is counted.
    expect(counts).toEqual({ ...asking, UpdateItem: 1 })
  })

  test('Budget: a deployment that keeps nothing asks with no other requests', async () => {
    const of = await keptHolder()
    const read = reader({ KEPT_CONTRACTS: '0' })
    const counts = await service.countsOf(() => read(of))
    expect(counts).toEqual(asking)
  })

  test('a contract beyond those that are kept of a product, and one that is not kept, beside one that is', async () => {
    const of = await keptHolder(2)
    const second = of.contracts[1] as Holder['contract']
    const pairsOf = async (read: ReturnType<typeof reader>) =>
      (await read(of)).json.data.map((nft: Record<string, string>) => [
        nft['address'] === of.contract.address ? 'first' : 'second',
        nft['tokenId'],
      ])
    const both = [
      ...numbers(1, 2).map((id) => ['first', id]),
      ...numbers(1, 3).map((id) => ['second', id]),
    ]
    const asked = await service.countsOf(async () => {
      expect(await pairsOf(reader())).toEqual(both)
    })
    expect(asked).toMatchObject({ getNFTsForOwner: 1 })
    await keep(second, of.wallets, ['1', '2', '3'])
    await know(second, ['1', '2', '3'])
    const limited = await service.countsOf(async () => {
      expect(await pairsOf(reader({ KEPT_CONTRACTS: '1' }))).toEqual(both)
    })
    expect(limited).toMatchObject({ getNFTsForOwner: 1 })
    expect(await service.countsOf(() => pairsOf(reader()))).not.toHaveProperty('getNFTsForOwner')
  })
})

describe('D156: stale-if-error', () => {
  test('gives what is kept while the indexer is down and the follower behind, and says so', async () => {
    const of = await keptHolder()
    failing.isDown = true
    const at = seconds(300)
    await confirm(at)
    expectProblem(await reader()(of), 'indexer_unavailable')
    expectProblem(await reader()(of, withHeader('stale-if-error=200')), 'indexer_unavailable')
    const answer = await reader()(of, withHeader('no-cache, stale-if-error=600'))
    expect(tokenIdsOf(answer)).toEqual(['1', '2'])
    expect(answer.json).toMatchObject({
      success: true,
      stale: true,
      asOf: new Date(at).toISOString(),
    })
    await confirm()
    expect((await reader()(of, stale)).json).not.toHaveProperty('stale')
  })

  test('has no effect on what is not kept', async () => {
    const of = await keptHolder(2)
    failing.isDown = true
    expectProblem(await reader()(of, stale), 'indexer_unavailable')
  })

  test('goes on with the cursor of a stale answer', async () => {
    const of = await keptHolder()
    failing.isDown = true
    await confirm(seconds(300))
    const first = await reader()(of, { ...stale, query: { limit: '1' } })
    const query = { limit: '1', cursor: first.json.nextCursor }
    const second = await reader()(of, { query })
    expect([first, second].flatMap(tokenIdsOf)).toEqual(['1', '2'])
    expect(second.json).toMatchObject({ stale: true })
  })
})

/** A limit by the day gives nothing back during a test. */
const limited = { INDEXER_CALLS_PER_PRODUCT_AND_DAY: '1' }
const anew = withHeader('no-cache')

/** The counters of all products. */
const counters = async () =>
  (await tableOf(service).itemsUnder('PRODUCT#')).filter(({ sk }) => sk === 'LIMITS')

/** A player of a product that has exhausted its indexer calls, with NFTs of a kept contract. */
async function exhausted(held?: string[]) {
  const of = await keptHolder(1, held)
  const read = reader(limited, Date.now())
  await read(of, anew)
  return { of, read }
}

describe('D156: a product that has exhausted its indexer calls', () => {
  test('Budget: gets what is kept, with no other requests than before', async () => {
    const { of, read } = await exhausted()
    expectProblem(await read(of, anew), 'rate_limited')
    await read(of)
    const counts = await service.countsOf(async () => {
      expect((await read(of)).json.data).toHaveLength(2)
    })
    // The counters are read together with the product, and the allowlist (D96).
    expect(counts).toEqual({ Query: 2, BatchGetItem: 1 })
  })

  test('is refused when the indexer has to be asked, which makes no call and counts none', async () => {
    const { of, read } = await exhausted()
    const before = await counters()
    expect(before.length).toBeGreaterThan(0)
    const counts = await service.countsOf(async () => {
      const answer = await read(of, anew)
      expectProblem(answer, 'rate_limited')
      const limit = { name: 'indexer_calls_by_day', count: 1, perSeconds: 86_400 }
      expect(answer.json.limit).toEqual(limit)
      // An exhausted limit is no failure of the indexer.
      const orStale = withHeader('no-cache, stale-if-error=600')
      expectProblem(await read(of, orStale), 'rate_limited')
    })
    expect(counts).not.toHaveProperty('getNFTsForOwner')
    expect(await counters()).toEqual(before)
  })

  test('gets an NFT whose metadata nobody has without it', async () => {
    const { of, read } = await exhausted(['1', '2', '3'])
    expect((await read(of)).json.data).toMatchObject([
      { tokenId: '1' },
      { tokenId: '2' },
      { tokenId: '3', metadataError: 'indexer_unavailable' },
    ])
  })

  test('D47: is refused before its input is judged where nothing is kept', async () => {
    const { of, read } = await exhausted()
    const counts = await service.countsOf(async () => {
      const answer = await reader({ ...limited, KEPT_CONTRACTS: '0' })(of, {
        query: { limit: 'many' },
      })
      expectProblem(answer, 'rate_limited')
    })
    expect(counts).toEqual({ GetItem: 1, BatchGetItem: 1, Query: 1, GetSecretValue: 1 })
    expectProblem(await read(of, { query: { limit: 'many' } }), 'invalid_request')
  })
})
