import { describe, expect, test } from 'vitest'
import { concurrencyLimit } from '../../../local/lambda/concurrency-limit.ts'

describe('the concurrency limit', () => {
  test('runs tasks in order, and never more at a time than the limit', async () => {
    const limited = concurrencyLimit(3)
    const started: number[] = []
    let running = 0
    let mostRunning = 0
    const task = async (number: number) => {
      started.push(number)
      running += 1
      mostRunning = Math.max(mostRunning, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return number
    }
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    const results = await Promise.all(numbers.map((number) => limited(() => task(number))))
    expect(results).toEqual(numbers)
    expect(started).toEqual(numbers)
    expect(mostRunning).toBe(3)
  })

  test('starts the next task after a task that fails', async () => {
    const limited = concurrencyLimit(1)
    const failing = limited(() => Promise.reject(new Error('broken')))
    const next = limited(async () => 'next')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('next')
    expect(await limited(async () => 'later')).toBe('later')
  })
})
