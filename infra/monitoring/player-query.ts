import type { SavedQuery } from './logs-insights.ts'

/** The place of the digest in the saved query. */
export const anyDigest = '<digest>'

/** The query of the requests of a player, by the digest that `npm run player-digest` prints (D72). */
export const playerQuery = (digest: string): SavedQuery => ({
  name: 'requests',
  logs: 'players',
  commands: [
    'fields @timestamp, operation, productId, status, code, reason, durationMilliseconds, requestId',
    `filter player = "${digest}"`,
    'sort @timestamp desc',
    'limit 1000',
  ],
})
