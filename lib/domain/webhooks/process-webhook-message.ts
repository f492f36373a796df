import type { WebhookMessage } from '../ports/webhook-delivery.ts'
import type { Deadline } from '../time-budget.ts'
import { type DeliveryResult, deliver } from './deliver.ts'
import type { DeliveryPorts, DeliverySettings } from './delivery-ports.ts'
import { visitProduct } from './subscribe.ts'
import { sendTest } from './test-webhook.ts'
import { wakeSubscribers } from './wake.ts'

/** Does what a message of one of the queues of webhooks says (D122). A message may arrive twice, late or out of order, and its worker may die half-way. */
export async function processWebhookMessage(
  message: WebhookMessage,
  until: Deadline,
  ports: DeliveryPorts,
  settings: DeliverySettings,
): Promise<DeliveryResult> {
  if (message.kind === 'deliver') return await deliver(message, until, ports, settings)
  if (message.kind === 'test') return await sendTest(message, ports, settings)
  if (message.kind === 'logged') await wakeSubscribers(message.chain, message.contracts, ports)
  else await visitProduct(message.productId, message, ports, settings)
  return { delivered: 0 }
}
