import { expect, test } from 'vitest'
import { someAtOnce } from '../../lib/domain/some-at-once.ts'

/** Work that ends when a test says so. */
function work() {
  const begun: number[] = []
  const running = new Map<number, PromiseWithResolvers<number>>()
  return {
    begun,
    run: (item: number) => {
      begun.push(item)
      const ending = Promise.withResolvers<number>()
      running.set(item, ending)
      return ending.promise
    },
    async end(item: number, failure?: Error) {
      if (failure) running.get(item)?.reject(failure)
      else running.get(item)?.resolve(item * 10)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('some items are worked at at once, and the results have their order', async () => {
  const { begun, run, end } = work()
  const results = someAtOnce([1, 2, 3, 4], 2, run)
  expect(begun).toEqual([1, 2])
  await end(2)
  expect(begun).toEqual([1, 2, 3])
  for (const item of [3, 1, 4]) await end(item)
  expect(await results).toEqual([10, 20, 30, 40])
  expect(await someAtOnce([], 2, run)).toEqual([])
})

test('after a failure nothing begins, and it is thrown when everything has ended', async () => {
  const { begun, run, end } = work()
  let isOver = false
  const results = someAtOnce([1, 2, 3], 2, run).finally(() => {
    isOver = true
  })
  results.catch(() => undefined)
  await end(1, new Error('the first'))
  expect(begun).toEqual([1, 2])
  expect(isOver).toBe(false)
  await end(2, new Error('a later one'))
  await expect(results).rejects.toThrow('the first')
  expect(begun).toEqual([1, 2])
})
