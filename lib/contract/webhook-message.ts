import type { NftEvent } from '../domain/nft-events/nft-event.ts'
import type { SentEvent } from '../domain/webhooks/delivery-ports.ts'
import { webhookEventEntry } from './webhook-event.ts'

/**
 * An event of a product's NFTs as it is sent to a webhook (D122): its id is in a header. The same text in every attempt, but
 * for `expired`, which tells what is not kept at that moment.
 */
export function sentEvent(event: NftEvent): SentEvent {
  const { id, type, timestamp, data } = webhookEventEntry(event)
  return { id, type, body: JSON.stringify({ type, timestamp, data }) }
}

/** The test message (D121): its server answers with the challenge. */
export function sentTest({
  testId,
  challenge,
  at,
}: {
  testId: string
  challenge: string
  at: number
}): SentEvent {
  const type = 'webhook.test'
  const timestamp = new Date(at).toISOString()
  return {
    id: `test_${testId}`,
    type,
    body: JSON.stringify({ type, timestamp, data: { challenge } }),
  }
}
