import { describe, expect, test } from 'vitest'
import { tableOf } from '../support/aws/table.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { type Holder, remembered, rememberedReads } from '../support/requests/remembered-reads.ts'
import { startCountedService } from '../support/services/counted-service.ts'

const service = await startCountedService()
const { holder, reader } = rememberedReads(service)

/** A limit by the day gives nothing back during a test. */
const limited = { INDEXER_CALLS_PER_PRODUCT_AND_DAY: '1' }
const remembering = { ...limited, REMEMBER_SECONDS: '3600' }

const anew = { headers: { 'cache-control': 'no-cache' } }

/** The counters of all products. */
const counters = async () =>
  (await tableOf(service).itemsUnder('PRODUCT#')).filter(({ sk }) => sk === 'LIMITS')

/** A player of a product that has exhausted its indexer calls, with a remembered answer. */
async function exhausted(settings: Record<string, string> = remembering) {
  const of = await holder()
  const read = reader(settings)
  await read(of)
  return { of, read }
}

describe('D73: a product that has exhausted its indexer calls', () => {
  test('Budget: gets a remembered answer, with no other requests than before', async () => {
    const { of, read } = await exhausted()
    expectProblem(await read(of, anew), 'rate_limited')
    await read(of)
    const counts = await service.countsOf(async () => {
      expect((await read(of)).json.data).toHaveLength(10)
    })
    // The counters are read together with the product.
    expect(counts).toEqual(remembered)
  })

  test('is refused when the indexer has to be asked, which makes no call and counts none', async () => {
    const { of, read } = await exhausted()
    const before = await counters()
    expect(before.length).toBeGreaterThan(0)
    const counts = await service.countsOf(async () => {
      const answer = await read(of, anew)
      expectProblem(answer, 'rate_limited')
      expect(answer.json.limit).toEqual({
        ...{ name: 'indexer_calls_by_day', count: 1, perSeconds: 86_400 },
      })
      const other = { ...of, ...(await service.newPlayer([of.contract.address])) }
      expectProblem(await read(other), 'rate_limited')
    })
    expect(counts).not.toHaveProperty('getNFTsForOwner')
    expect(await counters()).toEqual(before)
  })

  test('is refused also if the caller accepts a stale answer: the indexer is not down', async () => {
    const { of, read } = await exhausted()
    const stale = { headers: { 'cache-control': 'no-cache, stale-if-error=600' } }
    expectProblem(await read(of, stale), 'rate_limited')
  })

  test('goes on within a list of which the first page was remembered', async () => {
    const { of, read } = await exhausted()
    const page = (cursor?: string) => ({ query: { limit: '4', ...(cursor && { cursor }) } })
    const first = await read(of, page())
    const second = await read(of, page(first.json.nextCursor))
    expect(second.json.data).toHaveLength(4)
  })

  test('D47: is refused before its input is judged where nothing is remembered', async () => {
    const { of, read } = await exhausted(limited)
    const counts = await service.countsOf(async () => {
      expectProblem(await read(of, { query: { limit: 'many' } }), 'rate_limited')
    })
    expect(counts).toEqual({ BatchGetItem: 1, Query: 1 })
    const remembers: Pick<Holder, 'apiKey' | 'playerToken'> = of
    const answer = await reader(remembering)(remembers, { query: { limit: 'many' } })
    expectProblem(answer, 'invalid_request')
  })
})
