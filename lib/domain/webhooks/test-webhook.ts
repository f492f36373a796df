import type { WebhookMessage } from '../ports/webhook-delivery.ts'
import type { WebhookChange } from '../ports/webhooks.ts'
import type { ProductId } from '../product/product.ts'
import { attempt } from './attempt.ts'
import type { DeliveryResult } from './delivery.ts'
import type { DeliveryPorts } from './delivery-ports.ts'
import { isQuick } from './places.ts'
import { visitProduct, wakeWebhooks } from './wake.ts'
import type { FailureCode, Webhook, WebhookTest } from './webhook.ts'
import { pendingFields } from './webhook-state.ts'

/** How much of the answer to a test is read, in bytes: a challenge is shorter. */
const answerBytes = 16_384

/** Tests a webhook, and notes the result (D121). An answer of 2xx with exactly the challenge verifies the URL. */
export async function sendTest(
  { productId, webhookId, testId, until }: Omit<Extract<WebhookMessage, { kind: 'test' }>, 'kind'>,
  ports: DeliveryPorts,
): Promise<DeliveryResult> {
  // Nobody waits for it any more.
  if (until !== undefined && ports.now() > until) return { delivered: 0 }
  const [webhook, product] = await Promise.all([
    ports.webhooks.get(productId, webhookId),
    ports.productAccess.get(productId),
  ])
  const isPermitted = product && product.endedAt === undefined && product.stoppedAt === undefined
  if (!webhook || !isPermitted) return { delivered: 0 }
  const lastTest = await resultOf(webhook, testId, ports)
  const begins = lastTest.delivered && !webhook.isVerified
  // Before the webhook: a subscription without one ends by itself, and a webhook without one would hear of nothing.
  if (begins) await visitProduct(productId, { begins }, ports)
  const isBegun = begins && (await begin(productId, webhook, lastTest, ports))
  // Also of a webhook whose URL is another one by now: somebody waits for the result.
  if (!isBegun) await ports.webhooks.change(productId, webhookId, { set: { lastTest } })
  const { delivered, failure: code, status } = lastTest
  return {
    delivered: delivered ? 1 : 0,
    ...(code && { failure: { at: ports.now(), code, status } }),
  }
}

/** The maximum number of attempts while calls change the same webhook. */
const beginAttempts = 8

/** Lets a webhook begin to get events, unless it has another URL or has begun by now. */
async function begin(
  productId: ProductId,
  { webhookId, url }: Webhook,
  lastTest: WebhookTest,
  ports: DeliveryPorts,
): Promise<boolean> {
  for (let attempt = 0; attempt < beginAttempts; attempt += 1) {
    // A replay during the test says where the webhook begins.
    const webhook = await ports.webhooks.get(productId, webhookId)
    if (webhook?.url !== url || webhook.isVerified) return false
    const { beginsAt, fence } = webhook
    const change = beginning(lastTest, { beginsAt, now: ports.now() })
    const condition = { ...{ url, fence }, isVerified: false }
    const begun = await ports.webhooks.change(productId, webhookId, change, condition)
    if (!begun) continue
    if (beginsAt !== undefined) await wakeWebhooks(productId, [begun], ports)
    return true
  }
  return false
}

/** The change with which a webhook begins to get events. */
const beginning = (
  lastTest: WebhookTest,
  { beginsAt, now }: { beginsAt: number | undefined; now: number },
): WebhookChange => ({
  set: {
    ...{ lastTest, isVerified: true, minutes: {}, failures: 0 },
    slowAt: isQuick(lastTest.milliseconds) ? undefined : now,
    position: { chains: new Map(), since: beginsAt ?? now },
  },
  remove: [
    ...([...pendingFields, 'beginsAt', 'pausedAt', 'lastFailure'] as const),
    ...(isQuick(lastTest.milliseconds) ? (['slowAt'] as const) : []),
  ],
  raisesFence: true,
})

async function resultOf(webhook: Webhook, testId: string, ports: DeliveryPorts) {
  const challenge = ports.newId()
  const message = ports.sentTest({ testId, challenge, at: ports.now() })
  const { code, answer, milliseconds } = await attempt(webhook, message, { answerBytes }, ports)
  const isAnswered = answer?.body === challenge
  const failure: FailureCode | undefined =
    code ?? (isAnswered ? undefined : 'challenge_not_answered')
  const delivered = failure === undefined
  return { testId, delivered, status: answer?.status, milliseconds, failure }
}
