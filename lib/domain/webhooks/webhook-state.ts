import type { Webhook } from './webhook.ts'

/** The state of a webhook (D121). */
export type WebhookState = 'unverified' | 'active' | 'failing' | 'paused'

export function webhookStateOf({ isVerified, pausedAt, failures }: Webhook): WebhookState {
  if (!isVerified) return 'unverified'
  if (pausedAt !== undefined) return 'paused'
  return failures > 0 ? 'failing' : 'active'
}

/** Whether a webhook gets events. */
export const isDelivering = ({ isVerified, pausedAt }: Webhook): boolean =>
  isVerified && pausedAt === undefined

/** How long the events of a paused webhook are still logged, in milliseconds: so nothing of a short pause is lost. */
const keptWhilePausedMilliseconds = 24 * 3_600_000

/** Whether the events of the product are logged for a webhook. */
export const isSubscribed = ({ isVerified, pausedAt }: Webhook, now: number): boolean =>
  isVerified && (pausedAt === undefined || now - pausedAt < keptWhilePausedMilliseconds)

/** Up to which time a webhook has delivered everything, if more is pending. */
export function deliveredUpTo({ pendingSince, lastEventAt }: Webhook): number | undefined {
  return pendingSince === undefined ? undefined : Math.max(pendingSince, lastEventAt ?? 0)
}
