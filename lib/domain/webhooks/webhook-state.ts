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

/** What is pending of a webhook: absent when nothing is. */
export const pendingFields = [
  'ticket',
  'ticketAt',
  'pendingSince',
  'leasedUntil',
  'nextAttemptAt',
] as const

/** When a message that another one, or a change, was faster than is needed again; `undefined` if it never is. */
export const laterThan = (
  webhook: Webhook | undefined,
  { ticket }: { ticket: string },
  now: number,
): number | undefined =>
  webhook?.ticket === ticket && isDelivering(webhook)
    ? Math.max(0, dueAt(webhook) - now)
    : undefined

/** The time before which a webhook is not called again. */
const dueAt = ({ nextAttemptAt = 0, leasedUntil = 0 }: Webhook): number =>
  Math.max(nextAttemptAt, leasedUntil)

/** Whether another slow webhook of the product is due too, and its latest message is longer ago. */
export const givesWay = (
  { slowAt = 0 }: Webhook,
  webhooks: readonly Webhook[],
  now: number,
): boolean =>
  webhooks.some((other) => {
    const isDue = isDelivering(other) && other.ticket !== undefined && dueAt(other) <= now
    return isDue && other.slowAt !== undefined && other.slowAt < slowAt
  })
