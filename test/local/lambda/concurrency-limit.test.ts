import { describe, expect, onTestFinished, test, vi } from 'vitest'
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

  test('lets a task whose time is over leave the line, and never runs it', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const limited = concurrencyLimit(1)
    const place = Promise.withResolvers<string>()
    const started: string[] = []
    const task = async (name: string) => started.push(name)
    const wait = (seconds: number) => ({ until: Date.now() + seconds * 1_000, late: 0 })
    const first = limited(() => place.promise)
    const waiting = [
      limited(() => task('late'), wait(1)),
      limited(() => task('in time'), wait(3)),
      limited(() => task('without a time')),
    ]
    vi.advanceTimersByTime(1_000)
    expect(await waiting[0]).toBe(0)
    place.resolve('done')
    expect(await first).toBe('done')
    expect(await Promise.all(waiting)).toEqual([0, 1, 2])
    vi.advanceTimersByTime(10_000)
    expect(started).toEqual(['in time', 'without a time'])
    expect(vi.getTimerCount()).toBe(0)
    expect(await limited(() => task('later'), wait(0))).toBe(3)
  })
})
