import { pause } from './cancellation.ts'
import type { PlayerNfts } from './client.ts'
import type { CallOptions } from './options.ts'
import type { WebhookEvents } from './types.ts'

/** What {@link webhookEvents} takes. */
export interface WebhookEventsOptions extends CallOptions {
  /** The `cursor` of the last page that was handled. */
  cursor?: string | undefined
  /** Without `cursor`: the time from which on events are wanted, of the last 7 days; by default now. */
  since?: string | undefined
  /** The time between two requests while nothing happens, in milliseconds; 5,000 by default. */
  pauseMs?: number | undefined
}

/**
 * Reads the events of a product's NFTs, for ever: page by page, in the order of each chain. Handle the events of a page, store its
 * `cursor`, and begin with it again after a crash or an error: nothing is lost, and events come again whose page was not stored.
 * @throws what `getWebhookEvents` throws after its retries, and AbortedError when the signal of the options is aborted
 */
export async function* webhookEvents(
  client: Pick<PlayerNfts, 'getWebhookEvents'>,
  { cursor, since, pauseMs = 5_000, ...options }: WebhookEventsOptions = {},
): AsyncGenerator<WebhookEvents, never> {
  const { signal } = options
  let next = cursor
  for (;;) {
    const params = next === undefined ? { since } : { cursor: next }
    const page = await client.getWebhookEvents(params, options)
    yield page
    next = page.cursor
    if (!page.hasMore) await pause(pauseMs, 'getWebhookEvents', signal ? [signal] : [])
  }
}
