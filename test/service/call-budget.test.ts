import { expect, test } from 'vitest'
import { callBudget } from '../../functions/composition/upkeep-ports.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { addressOf } from '../../simulation/memory-chain.ts'
import { nft, productId } from '../support/memory/owned-nfts.ts'

const contract = nft(1)

/** Work that calls the indexer so often, for a contract that a product has read last, or nobody. */
async function spend(calls: number, { isRead = true, hasHalfLeft = true, fails = false }) {
  const counted: [ProductId, number][] = []
  const use = isRead ? { readAt: 5, reads: 5, productId, wallets: [addressOf(2)] } : undefined
  const budget = callBudget(
    { of: async () => use },
    { hasHalfLeft: async (of) => of !== productId || hasHalfLeft },
    (...count) => counted.push(count),
  )
  const result = await downstreamCalls.during(async () => {
    downstreamCalls.begin('indexer')
    const work = async () => {
      for (let call = 0; call < calls; call += 1) downstreamCalls.begin('indexer')
      if (fails) throw new Error('failed')
      return 'result'
    }
    return await budget.spend(contract, work).catch((error: Error) => error.message)
  })
  return { result, counted }
}

test('D153: the calls of work count for the product that has read the contract last, also if the work fails', async () => {
  expect(await spend(3, {})).toEqual({ result: 'result', counted: [[productId, 3]] })
  expect(await spend(2, { fails: true })).toEqual({ result: 'failed', counted: [[productId, 2]] })
  expect(await spend(3, { isRead: false })).toEqual({ result: 'result', counted: [] })
})

test('D153: work waits while less than half of a limit is left', async () => {
  expect(await spend(3, { hasHalfLeft: false })).toEqual({ result: 'later', counted: [] })
})
