import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { numbers } from '../../local/samples/samples.ts'
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

/** A holder of 1, 2 and 3 of contracts, of which the first one is kept with 1 and 2. */
async function keptHolder(contracts = 1): Promise<Holder & { first: Holder['contracts'][0] }> {
  const of = await holder({ chains: Array.from({ length: contracts }, () => 'POLYGON') })
  of.contracts.sort((a, b) => (a.address < b.address ? -1 : 1))
  const [first] = of.contracts
  if (!first) throw new Error('no contract')
  await keep(first, of.wallets, ['1', '2'])
  await know(first, ['1', '2'])
  return { ...of, first }
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
    const second = of.contracts[1] as Holder['contracts'][0]
    const pairsOf = async (read: ReturnType<typeof reader>) =>
      (await read(of)).json.data.map((nft: Record<string, string>) => [
        nft['address'] === of.first.address ? 'first' : 'second',
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

describe('D156: a cursor', () => {
  /** All token identifiers with their contract, one in a response. */
  async function readThrough(of: Holder) {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const answer = await reader()(of, { query: { limit: '1', ...(cursor && { cursor }) } })
      found.push(
        ...answer.json.data.map(
          (nft: Record<string, string>) => `${nft['address']} ${nft['tokenId']}`,
        ),
      )
      cursor = answer.json.nextCursor
    } while (cursor !== undefined)
    return found
  }

  const pairs = ({ contracts: [first, second] }: Holder) => [
    ...numbers(1, 2).map((id) => `${first?.address} ${id}`),
    ...numbers(1, 3).map((id) => `${second?.address} ${id}`),
  ]

  test('goes through what is kept, and then through what is asked', async () => {
    const of = await keptHolder(2)
    expect(await readThrough(of)).toEqual(pairs(of))
  })
})
