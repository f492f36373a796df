import type { Deadline } from '../time-budget.ts'
import { Delivery, type DeliveryEnd, type DeliveryTask, laterThan } from './delivery.ts'
import type { DeliveryPorts, DeliverySettings } from './delivery-ports.ts'

/** For how long a delivery is the only one: longer than it sends, with its last attempt, in milliseconds. */
const leaseMilliseconds = 50_000

/** What a delivery has done. */
export interface DeliveryResult extends DeliveryEnd {
  delivered: number
  /** From when the delivery was due until it began, in milliseconds; absent if the endpoint had made it wait. */
  delayMilliseconds?: number | undefined
}

/**
 * Sends the events of a product to one of its webhooks, from its position on and in order, until `until` or until nothing is left (D122). An event
 * that was sent and not noted is sent again: at least once. Does nothing if another delivery is under way, if it is too early, or if the
 * message is superfluous.
 */
export async function deliver(
  task: DeliveryTask,
  until: Deadline,
  ports: DeliveryPorts,
  settings: DeliverySettings,
): Promise<DeliveryResult> {
  const { productId, webhookId, ticket } = task
  const now = ports.now()
  const leasedUntil = now + leaseMilliseconds
  const webhook = await ports.webhooks.begin(productId, webhookId, { ticket, now, leasedUntil })
  if (!webhook) return { wait: await laterThan(task, ports), delivered: 0 }
  const { failures, ticketAt = now } = webhook
  const delivery = new Delivery(webhook, task, ports, settings)
  const end = await delivery.run(until)
  const { delivered } = delivery
  return { ...end, delivered, ...(failures === 0 && { delayMilliseconds: now - ticketAt }) }
}
