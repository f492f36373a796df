import type { DailyUsage } from '../../../clients/typescript/src/types.ts'
import { answering } from './dashboard-page.ts'

/** A day of the usage that is this number of days ago. */
export function dayOf(ago: number, changes: Partial<DailyUsage> = {}): DailyUsage {
  const day = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  return {
    day,
    calls: [],
    indexerCalls: 0,
    players: 0,
    playersEstimated: false,
    limited: [],
    ...changes,
  }
}

/** Lets the page see this usage in place of the service's, because a service has no usage of days before its start. */
export const giveUsage = (usage: (days: number) => DailyUsage[]) =>
  answering('**/api/public/v1/product/usage?*', async (route) => {
    const days = Number(new URL(route.request().url()).searchParams.get('days'))
    await route.fulfill({ json: { data: usage(days), success: true } })
  })

/** Days with calls, refusals and failures, of which a service has so many only after weeks. */
export const busyDays = (days: number) =>
  Array.from({ length: days }, (_, ago) =>
    dayOf(ago, {
      calls: [
        { operation: 'getStructuredMetadata', outcome: 'success', count: 2_400 - ago * 20 },
        { operation: 'getStructuredMetadata', outcome: 'rate_limited', count: 12 * (ago % 5) },
        { operation: 'getRawMetadata', outcome: 'indexer_unavailable', count: ago % 7 ? 0 : 80 },
      ],
      indexerCalls: 430 + (ago % 9) * 10,
      players: 412 - ago,
      playersEstimated: ago < 3,
      limited: [{ limit: 'indexer_calls_by_day', count: 12 * (ago % 5) }],
    }),
  )
