import { expect, test } from 'vitest'
import { writeSampleUsage } from '../../../local/samples/sample-items.ts'
import { startOwnService, withoutUsageWrites } from '../../support/services/own-service.ts'

test('the sample product has usage on each of the 30 days before today', async () => {
  const { call, stack } = await startOwnService(withoutUsageWrites)
  const registered = await call('POST /product', {
    body: { name: 'Lamps', contactEmail: 'studio@x.example', companyName: 'Gulls' },
  })
  const { apiKey, productId } = registered.json.data
  const now = Date.now()
  const yesterday = new Date(now - 86_400_000).toISOString().slice(0, 10)
  expect(await writeSampleUsage(stack, productId, now)).toBe(yesterday)
  const usage = await call('GET /product/usage', { apiKey, query: { days: '32' } })
  const days: { calls: unknown[]; players: number; indexerCalls: number }[] = usage.json.data
  const used = days.map(({ calls, players, indexerCalls }) =>
    Boolean(calls.length && players && indexerCalls),
  )
  expect(used).toEqual([false, ...Array(30).fill(true), false])
})
