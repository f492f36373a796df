import { describe, expect, test } from 'vitest'
import { tableOf } from '../support/aws/table.ts'
import { type Holder, keptReads } from '../support/requests/kept-reads.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startCountedService } from '../support/services/counted-service.ts'

const service = await startCountedService()
const { holder, confirm, keep, know, reader } = keptReads(service)

/** A limit by the day gives nothing back during a test. */
const limited = { INDEXER_CALLS_PER_PRODUCT_AND_DAY: '1' }
const anew = { headers: { 'cache-control': 'no-cache' } }

/** The counters of all products. */
const counters = async () =>
  (await tableOf(service).itemsUnder('PRODUCT#')).filter(({ sk }) => sk === 'LIMITS')

/** A player of a product that has exhausted its indexer calls, with NFTs of a kept contract. */
async function exhausted(held = ['1', '2']) {
  const of = await holder()
  const contract = of.contracts[0] as Holder['contracts'][0]
  await keep(contract, of.wallets, held)
  await know(contract, ['1', '2'])
  await confirm()
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
      expect(answer.json.limit).toEqual({
        ...{ name: 'indexer_calls_by_day', count: 1, perSeconds: 86_400 },
      })
      // An exhausted limit is no failure of the indexer.
      const orStale = { headers: { 'cache-control': 'no-cache, stale-if-error=600' } }
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
