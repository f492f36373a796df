import { describe, expect, test } from 'vitest'
import { turnstile } from '../../../local/lambda/turnstile.ts'

describe('the turnstile before a function', () => {
  test('lets so many through at a time, and all in the end, in their order', async () => {
    const pass = turnstile(3)
    const started: number[] = []
    let inside = 0
    let mostInside = 0
    const task = async (number: number) => {
      started.push(number)
      inside += 1
      mostInside = Math.max(mostInside, inside)
      await new Promise((resolve) => setImmediate(resolve))
      inside -= 1
      return number
    }
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    const results = await Promise.all(numbers.map((number) => pass(() => task(number))))
    expect(results).toEqual(numbers)
    expect(started).toEqual(numbers)
    expect(mostInside).toBe(3)
  })

  test('a task that fails leaves its place to the next', async () => {
    const pass = turnstile(1)
    const failing = pass(() => Promise.reject(new Error('broken')))
    const next = pass(async () => 'next')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('next')
    expect(await pass(async () => 'later')).toBe('later')
  })
})
