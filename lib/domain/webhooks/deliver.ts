import type { WebhookMessage } from '../ports/webhook-delivery.ts'
import type { Deadline } from '../time-budget.ts'
import type { DeliveryResult } from './delivery.ts'
import { Delivery, type DeliveryTask } from './delivery.ts'
import type { DeliveryPorts } from './delivery-ports.ts'
import { leavePlace, takePlace } from './places.ts'
import { sendTest } from './test-webhook.ts'
import { visitProduct, wakeSubscribers } from './wake.ts'
import type { Webhook } from './webhook.ts'
import { givesWay, laterThan } from './webhook-state.ts'

/** For how long a delivery is the only one: longer than it sends, with its last attempt, in milliseconds. */
const leaseMilliseconds = 50_000

/**
 * Sends the events of a product to one of its webhooks, from its position on and in order, until `until` or until nothing is left (D122). An event
 * that was sent and not noted is sent again: at least once. Does nothing if another delivery is under way, if it is too early, if the
 * message is superfluous, or if the server is slow and others have all places of such servers (D143).
 */
async function deliver(
  task: DeliveryTask,
  until: Deadline,
  ports: DeliveryPorts,
): Promise<DeliveryResult> {
  const quick = await begin(task, { hasPlace: false }, ports)
  if (quick) return await run(quick, task, until, ports)
  const { productId, webhookId: holder } = task
  const webhooks = await ports.webhooks.list(productId)
  const webhook = webhooks.find(({ webhookId }) => webhookId === holder)
  const wait = laterThan(webhook, task, ports.now())
  if (wait !== 0 || webhook?.slowAt === undefined) return { wait, delivered: 0 }
  const way = givesWay(webhook, webhooks, ports.now())
  const request = { productId, holder, kind: 'delivery', givesWay: way } as const
  const place = await takePlace(request, ports)
  if ('wait' in place) return { wait: place.wait, delivered: 0 }
  const slow = await begin(task, { hasPlace: true }, ports)
  if (slow) return await run(slow, task, Math.min(until, place.until), ports)
  await leavePlace(holder, ports.places)
  return { wait, delivered: 0 }
}

const begin = (
  { productId, webhookId, ticket }: DeliveryTask,
  { hasPlace }: { hasPlace: boolean },
  { webhooks, now }: DeliveryPorts,
): Promise<Webhook | undefined> => {
  const leasedUntil = now() + leaseMilliseconds
  return webhooks.begin(productId, webhookId, { ticket, now: now(), leasedUntil, hasPlace })
}

async function run(
  webhook: Webhook,
  task: DeliveryTask,
  until: Deadline,
  ports: DeliveryPorts,
): Promise<DeliveryResult> {
  const now = ports.now()
  const { failures, slowAt, ticketAt = now } = webhook
  const delivery = new Delivery(webhook, task, ports)
  const end = await delivery.run(until)
  const { delivered } = delivery
  if (await delivery.keepsPlace()) await leavePlace(task.webhookId, ports.places)
  const isDue = failures === 0 && slowAt === undefined
  return { ...end, delivered, ...(isDue && { delayMilliseconds: now - ticketAt }) }
}

/** Does what a message of one of the queues of webhooks says (D122). A message may arrive twice, late or out of order, and its worker may die half-way. */
export async function processWebhookMessage(
  message: WebhookMessage,
  until: Deadline,
  ports: DeliveryPorts,
): Promise<DeliveryResult> {
  if (message.kind === 'deliver') return await deliver(message, until, ports)
  if (message.kind === 'test') return await sendTest(message, ports)
  if (message.kind === 'logged') await wakeSubscribers(message.chain, message.contracts, ports)
  else await visitProduct(message.productId, message, ports)
  return { delivered: 0 }
}
