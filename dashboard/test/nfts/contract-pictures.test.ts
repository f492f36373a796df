import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DailyUsage, Product } from '../../../clients/typescript/src/types.ts'
import { memoryStorage } from '../../../test/support/memory/memory-storage.ts'
import { ContractPictures, hasCallsToSpare } from '../../views/nfts/contract-pictures.ts'
import { apiErrorOf } from '../api-error.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 4, 1, 12) }))
afterEach(() => void vi.useRealTimers())

const contract = (number: number) => ({ chain: 'POLYGON', address: `0x${number}` })

/** A reader whose reads end when the test says so. */
function reader(storage = memoryStorage()) {
  const calls: { address: string; end: PromiseWithResolvers<string[]> }[] = []
  let changes = 0
  const pictures = new ContractPictures(
    ({ address }) => {
      const end = Promise.withResolvers<string[]>()
      calls.push({ address, end })
      return end.promise
    },
    storage,
    () => {
      changes += 1
    },
  )
  return {
    pictures,
    reads: () => calls.map(({ address }) => address),
    changes: () => changes,
    async end(number: number, ...urls: string[]) {
      calls.find(({ address }) => address === `0x${number}`)?.end.resolve(urls)
      await nextTurn()
    },
    async fail(number: number, error: unknown) {
      calls.find(({ address }) => address === `0x${number}`)?.end.reject(error)
      await nextTurn()
    },
  }
}

describe('The pictures of contracts', () => {
  test('are read two at a time, once a day for each contract, and kept in the session', async () => {
    const storage = memoryStorage()
    const { pictures, reads, changes, end } = reader(storage)
    for (const number of [1, 2, 3, 1]) pictures.show(contract(number))
    expect(reads()).toEqual(['0x1', '0x2'])
    await end(1, 'https://a/1', 'https://a/2', 'https://a/1')
    expect(reads()).toEqual(['0x1', '0x2', '0x3'])
    await end(2)
    await end(3, 'https://a/3')
    expect(changes()).toBe(3)
    expect(pictures.urls(contract(1))).toEqual(['https://a/1', 'https://a/2'])
    for (const number of [1, 2, 3]) pictures.show(contract(number))
    const later = reader(storage)
    later.pictures.show(contract(1))
    later.pictures.show(contract(2))
    expect([...reads().slice(3), ...later.reads()]).toEqual([])
    expect(later.pictures.urls(contract(1))).toEqual(['https://a/1', 'https://a/2'])
    vi.setSystemTime(Date.UTC(2026, 4, 2))
    later.pictures.show(contract(1))
    expect(later.reads()).toEqual(['0x1'])
    expect(later.pictures.urls(contract(1))).toEqual(['https://a/1', 'https://a/2'])
  })

  test('are not read of a contract that has left the view before its turn', async () => {
    const { pictures, reads, end } = reader()
    const [, , hide] = [1, 2, 3, 4].map((number) => pictures.show(contract(number)))
    hide?.()
    await end(1)
    expect(reads()).toEqual(['0x1', '0x2', '0x4'])
  })

  test('are not read any more on a day on which a limit has refused the call', async () => {
    const storage = memoryStorage()
    const { pictures, reads, fail } = reader(storage)
    for (const number of [1, 2, 3]) pictures.show(contract(number))
    await fail(1, apiErrorOf(429, 'rate_limited'))
    pictures.show(contract(4))
    const later = reader(storage)
    later.pictures.show(contract(5))
    expect([...reads(), ...later.reads()]).toEqual(['0x1', '0x2'])
    vi.setSystemTime(Date.UTC(2026, 4, 2))
    later.pictures.show(contract(6))
    expect(later.reads()).toEqual(['0x5', '0x6'])
  })

  test('are read again after another failure, when the page is shown again', async () => {
    const storage = memoryStorage()
    const { pictures, reads, fail } = reader(storage)
    pictures.show(contract(1))
    await fail(1, new Error('The network is gone.'))
    pictures.show(contract(1))
    expect(reads()).toEqual(['0x1'])
    const later = reader(storage)
    later.pictures.show(contract(1))
    expect(later.reads()).toEqual(['0x1'])
  })

  test('are not kept when the page is left, or the session has ended, before they are read', async () => {
    const storage = memoryStorage()
    const { pictures, reads, changes, end } = reader(storage)
    for (const number of [1, 2, 3]) pictures.show(contract(number))
    pictures.close()
    await end(1, 'https://a/1')
    expect([storage.length, changes(), reads()]).toEqual([0, 0, ['0x1', '0x2']])
  })

  test('are not kept if they are long, and are shown if the storage has no room', async () => {
    const full = { ...memoryStorage(), setItem: () => expect.unreachable('full') as never }
    const { pictures, end } = reader(full)
    pictures.show(contract(1))
    await end(1, `data:image/png;base64,${'A'.repeat(20_000)}`, 'https://a/1')
    expect(pictures.urls(contract(1))).toEqual(['https://a/1'])
  })
})

const product = (...limits: NonNullable<Product['limits']>) => ({ limits }) as Product
const used = (indexerCalls: number) => [{ indexerCalls }] as DailyUsage[]
const limit = { name: 'indexer_calls_by_day', count: 1_000, perSeconds: 86_400 } as const
const other = { name: 'nfts', count: 1 } as const

test.each([
  ['without the limit', product(other), undefined, true],
  ['before the product is known', undefined, used(0), false],
  ['before the usage is known', product(other, limit), undefined, false],
  ['with a tenth left', product(other, limit), used(900), true],
  ['with less than a tenth left', product(other, limit), used(901), false],
])('pictures take no call that players need, %s', (_, given, usage, expected) => {
  expect(hasCallsToSpare(given, usage)).toBe(expected)
})
