import * as v from 'valibot'
import { InvalidInput } from '../domain/failures.ts'
import type { Webhook } from '../domain/webhooks/webhook.ts'
import { deliveredUpTo, webhookStateOf } from '../domain/webhooks/webhook-state.ts'
import {
  parseWebhookUrl,
  type WebhookUrlFault,
  type WebhookUrlRules,
} from '../domain/webhooks/webhook-url.ts'
import { seconds, shownText, shownWholeNumber, smallNumber, time } from './answers.ts'

/** A webhook as the API shows it (D121), without its secret. */
export const webhookEntry = v.object({
  webhookId: shownText,
  url: shownText,
  events: v.array(shownText),
  description: shownText,
  state: v.picklist(['unverified', 'active', 'failing', 'paused']),
  createdAt: time,
  lastDeliveredAt: v.nullable(time),
  lastFailure: v.nullable(
    v.object({ at: time, code: shownText, status: v.nullable(smallNumber(999)) }),
  ),
  failures: shownWholeNumber,
  pendingSince: v.nullable(time),
  nextAttemptAt: v.nullable(time),
  behindSeconds: v.nullable(seconds),
  oldSecretEndsAt: v.nullable(time),
})

/** A webhook with its secret, which is shown once. */
export const webhookWithSecret = v.object({ ...webhookEntry.entries, secret: shownText })

/** A webhook as an entry of a response. `now`: milliseconds since 1970. */
export function webhookEntryOf(webhook: Webhook, now: number): v.InferInput<typeof webhookEntry> {
  const { webhookId, url, events, description, lastFailure, oldSecret } = webhook
  const upTo = deliveredUpTo(webhook)
  return {
    ...{ webhookId, url, events: [...events], description },
    state: webhookStateOf(webhook),
    createdAt: timeText(webhook.createdAt),
    lastDeliveredAt: timeOrNull(webhook.lastDeliveredAt),
    lastFailure: lastFailure
      ? {
          at: timeText(lastFailure.at),
          code: lastFailure.code,
          status: lastFailure.status ?? null,
        }
      : null,
    failures: webhook.failures,
    pendingSince: timeOrNull(webhook.pendingSince),
    nextAttemptAt: timeOrNull(webhook.nextAttemptAt),
    behindSeconds: upTo === undefined ? null : Math.max(0, Math.floor((now - upTo) / 1_000)),
    oldSecretEndsAt: oldSecret && oldSecret.endsAt > now ? timeText(oldSecret.endsAt) : null,
  }
}

const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString()

const timeOrNull = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined ? null : timeText(milliseconds)

const messages: Readonly<Record<WebhookUrlFault, string>> = {
  too_long: 'must be at most 500 characters long',
  not_a_url: 'must be a URL, such as "https://games.example.com/events"',
  not_https: 'must begin with https://',
  has_credentials: 'must not have a user name or a password',
  has_fragment: 'must not have a fragment (#)',
  port_not_permitted: 'must have the port 443 or 8443',
  host_not_public: 'must have a public host name, and no address or name of a private network',
  own_host: 'must not be a host of this service',
}

/** The URL in the body of a request, as it is called (D120). Throws InvalidInput. */
export function webhookUrlIn(text: string, rules: WebhookUrlRules): string {
  const { url, fault } = parseWebhookUrl(text, rules)
  if (url) return url.href
  throw new InvalidInput({ in: 'body', path: 'url' }, messages[fault])
}
