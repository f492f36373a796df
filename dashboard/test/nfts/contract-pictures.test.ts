import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DailyUsage, Product } from '../../../clients/typescript/src/types.ts'
import { memoryStorage } from '../../../test/support/memory/memory-storage.ts'
import { contractPictures, hasCallsToSpare } from '../../views/nfts/contract-pictures.ts'
import { apiErrorOf } from '../api-error.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 4, 1, 12) }))
afterEach(() => void vi.useRealTimers())

const contract = (number: number) => ({ chain: 'POLYGON', address: `0x${number}` })

/** A reader whose reads end when the test says so. */
function reader(storage = memoryStorage()) {
  const page = new AbortController()
  const calls: { address: string; end: PromiseWithResolvers<string[]> }[] = []
  const pictures = contractPictures(
    ({ address }) => {
      const end = Promise.withResolvers<string[]>()
      calls.push({ address, end })
      return end.promise
    },
    storage,
    page.signal,
  )
  const endOf = (number: number) => calls.find(({ address }) => address === `0x${number}`)?.end
  return {
    page,
    show: (number: number, signal = new AbortController().signal, mayRead = true) =>
      pictures(contract(number), mayRead, signal),
    async reads() {
      await nextTurn()
      return calls.map(({ address }) => address)
    },
    end: (number: number, ...urls: string[]) => endOf(number)?.resolve(urls),
    fail: (number: number, error: unknown) => endOf(number)?.reject(error),
  }
}

const nextDay = Date.UTC(2026, 4, 2)

describe('The pictures of contracts', () => {
  test('are read two at a time, once a day for each contract, and kept in the session', async () => {
    const storage = memoryStorage()
    const { show, reads, end } = reader(storage)
    const shown = [1, 2, 3, 1].map((number) => show(number))
    expect(await reads()).toEqual(['0x1', '0x2'])
    end(1, 'https://a/1', 'https://a/2', 'https://a/1')
    expect(await reads()).toEqual(['0x1', '0x2', '0x3'])
    end(2)
    end(3, 'https://a/3')
    const first = ['https://a/1', 'https://a/2']
    expect(await Promise.all(shown)).toEqual([first, [], ['https://a/3'], first])
    const later = reader(storage)
    expect([await show(1), await later.show(1), await later.show(2)]).toEqual([first, first, []])
    expect([(await reads()).length, await later.reads()]).toEqual([3, []])
    vi.setSystemTime(nextDay)
    expect(await later.show(1, undefined, false)).toEqual(first)
    void later.show(1)
    expect(await later.reads()).toEqual(['0x1'])
  })

  test('are not read of a contract that has left the view before its turn', async () => {
    const { show, reads, end } = reader()
    const view = new AbortController()
    for (const number of [1, 2]) void show(number)
    for (const number of [3, 5]) void show(number, view.signal)
    void show(4)
    expect(await reads()).toEqual(['0x1', '0x2'])
    view.abort()
    end(1)
    expect(await reads()).toEqual(['0x1', '0x2', '0x4'])
  })

  test('are kept when a contract leaves the view while they are read', async () => {
    const { show, reads, end } = reader()
    const view = new AbortController()
    void show(1, view.signal)
    await reads()
    view.abort()
    end(1, 'https://a/1')
    expect(await show(1)).toEqual(['https://a/1'])
    expect(await reads()).toEqual(['0x1'])
  })

  test('are not read any more on a day on which a limit has refused the call', async () => {
    const storage = memoryStorage()
    const { show, reads, fail } = reader(storage)
    const shown = [1, 2, 3].map((number) => show(number))
    await reads()
    fail(1, apiErrorOf(429, 'rate_limited'))
    expect([await shown[0], await shown[2], await show(4)]).toEqual([[], [], []])
    const later = reader(storage)
    expect([await later.show(5), await reads()]).toEqual([[], ['0x1', '0x2']])
    vi.setSystemTime(nextDay)
    void later.show(6)
    expect(await later.reads()).toEqual(['0x6'])
  })

  test('are not read again after another failure, until the page is shown again', async () => {
    const { show, reads, fail } = reader()
    const shown = show(1)
    await reads()
    fail(1, new Error('The network is gone.'))
    await expect(shown).rejects.toThrow('gone')
    expect(await show(1)).toEqual([])
    void show(2)
    expect(await reads()).toEqual(['0x1', '0x2'])
  })

  test('are not kept when the page is left, or the session has ended, before they are read', async () => {
    const storage = memoryStorage()
    const { show, reads, end, page } = reader(storage)
    const shown = show(1)
    await reads()
    page.abort()
    end(1, 'https://a/1')
    expect([await shown, storage.length]).toEqual([[], 0])
  })

  test('are not kept if they are long, and are shown if the storage has no room', async () => {
    const full = { ...memoryStorage(), setItem: () => expect.unreachable('full') as never }
    const { show, reads, end } = reader(full)
    const shown = show(1)
    await reads()
    end(1, `data:image/png;base64,${'A'.repeat(20_000)}`, 'https://a/1')
    expect(await shown).toEqual(['https://a/1'])
    expect(await show(1)).toEqual(['https://a/1'])
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
