import { describe, expect, test } from 'vitest'
import { sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

const usage = (apiKey: string, query: Record<string, string> = {}) =>
  call('GET /product/usage', { apiKey, query })

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

describe('D55: get usage', () => {
  test.each([
    [{}, 30],
    [{ days: '1' }, 1],
    [{ days: '90' }, 90],
  ])('D55: with %j, %i days in UTC, today first, also without usage', async (query, count) => {
    const before = dayOf(Date.now())
    const { status, json } = await usage(await newProduct(), query)
    expect(status).toBe(200)
    const today = json.data[0].day
    expect([before, dayOf(Date.now())]).toContain(today)
    expect(json).toEqual({
      data: Array.from({ length: count }, (_, index) => ({
        day: dayOf(Date.parse(today) - index * 24 * 3600_000),
        calls: [],
        indexerCalls: 0,
        players: 0,
        playersEstimated: false,
        limited: [],
      })),
      success: true,
    })
  })

  test('D55: a call appears with a later call of its operation', async () => {
    const apiKey = await newProduct()
    const first = await call('GET /product', { apiKey })
    expect(first.status).toBe(200)
    await expect
      .poll(
        async () => {
          await call('GET /product', { apiKey })
          const { json } = await usage(apiKey, { days: '2' })
          return json.data.flatMap(({ calls }: { calls: unknown[] }) => calls)
        },
        { interval: 500 },
      )
      .toContainEqual({
        operation: 'getProduct',
        outcome: 'success',
        count: expect.any(Number),
      })
  })
})
