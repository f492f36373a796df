import { ServiceUnavailable } from '../../domain/failures.ts'
import type { WebhookMessage, WebhookQueue } from '../../domain/ports/webhook-queue.ts'
import type { WebhookSignals } from '../../domain/ports/webhook-signals.ts'

/** The signals of webhooks in their queue. */
export function queuedWebhookSignals(queue: WebhookQueue): WebhookSignals {
  const send = async (message: WebhookMessage) => {
    try {
      await queue.send(message)
    } catch (error) {
      if (!(error instanceof ServiceUnavailable)) throw error
    }
  }
  return {
    logged: (chain, contracts) => send({ kind: 'logged', chain, contracts }),
    connected: (productId) => send({ kind: 'product', productId }),
  }
}
