import {
  ServiceUnavailable,
  TooManyWebhooks,
  WebhookNotFound,
  WebhookNotVerified,
} from '../failures.ts'
import type { WebhookSigner } from '../ports/webhook-delivery.ts'
import type { WebhookChange, Webhooks } from '../ports/webhooks.ts'
import type { ProductId } from '../product/product.ts'
import {
  isWebhookId,
  maxWebhooksPerProduct,
  type Webhook,
  type WebhookEventType,
  type WebhookId,
} from './webhook.ts'
import { pendingFields } from './webhook-state.ts'

interface ManagePorts {
  webhooks: Webhooks
  /** Identifies the change, so that a change whose response was lost is recognized. */
  changeId: string
}

/** The webhook of a product with this identity. Throws WebhookNotFound, for a text of another form without a read. */
export async function existingWebhook(
  productId: ProductId,
  identity: string,
  { webhooks }: Pick<ManagePorts, 'webhooks'>,
): Promise<Webhook> {
  const webhook = isWebhookId(identity) ? await webhooks.get(productId, identity) : undefined
  if (!webhook) throw new WebhookNotFound()
  return webhook
}

type NewWebhook = Pick<Webhook, 'url' | 'events' | 'description'> & { webhookId: WebhookId }

/** Adds a webhook to a product (D121). Throws TooManyWebhooks. */
export async function createWebhook(
  productId: ProductId,
  { webhookId, events, ...fields }: NewWebhook,
  { webhooks, signer }: Pick<ManagePorts, 'webhooks'> & { signer: WebhookSigner },
): Promise<Webhook> {
  const before = await webhooks.list(productId)
  if (before.length >= maxWebhooksPerProduct) throw new TooManyWebhooks(maxWebhooksPerProduct)
  const now = Date.now()
  const webhook: Webhook = {
    ...{ webhookId, ...fields, events: [...new Set(events)], createdAt: now, isVerified: false },
    secret: signer.reference(1),
    position: { chains: new Map(), since: now },
    ...{ minutes: {}, wakes: 0, fence: 0, failures: 0 },
  }
  await webhooks.add(productId, webhook)
  // Of requests at the same time, all see those that are before them.
  const all = await webhooks.list(productId)
  const place = all.findIndex((each) => each.webhookId === webhookId)
  if (place >= maxWebhooksPerProduct) {
    await webhooks.remove(productId, webhookId)
    throw new TooManyWebhooks(maxWebhooksPerProduct)
  }
  return webhook
}

interface WebhookChanges {
  url?: string | undefined
  events?: readonly WebhookEventType[] | undefined
  description?: string | undefined
  state?: 'active' | 'paused' | undefined
}

/** Changes a webhook (D121). Throws WebhookNotFound, or WebhookNotVerified if it can have no state. */
export const updateWebhook = (
  productId: ProductId,
  webhookId: WebhookId,
  changes: WebhookChanges,
  ports: ManagePorts,
): Promise<Webhook> =>
  changed(productId, webhookId, (webhook) => changeOf(webhook, changes, Date.now()), ports)

/** What a webhook has only as long as it has its URL. */
const ofUrl = ['pausedAt', 'beginsAt', 'lastFailure', 'lastDeliveredAt', 'lastEventAt'] as const

function changeOf(
  webhook: Webhook,
  { url, events, description, state }: WebhookChanges,
  now: number,
): WebhookChange {
  const set = {
    ...(events && { events: [...new Set(events)] }),
    ...(description !== undefined && { description }),
  }
  const isMoved = url !== undefined && url !== webhook.url
  if (state && (isMoved || !webhook.isVerified)) throw new WebhookNotVerified()
  if (isMoved) {
    return {
      set: { ...set, url, isVerified: false, failures: 0 },
      remove: [...pendingFields, ...ofUrl],
    }
  }
  if (state === 'paused') {
    const { pausedAt = now } = webhook
    return { set: { ...set, pausedAt }, remove: pendingFields }
  }
  // Whoever sets it active wants an attempt now, also of one that waits for its next attempt.
  if (state === 'active') {
    return {
      set: { ...set, failures: 0 },
      remove: [...pendingFields, 'pausedAt'],
    }
  }
  return { set, remove: ['leasedUntil'] }
}

/** Replaces the secret of a webhook; both sign for a time (D123). Throws WebhookNotFound. */
export const rotateWebhookSecret = (
  productId: ProductId,
  webhookId: WebhookId,
  { overlapSeconds }: { overlapSeconds: number },
  { signer, ...ports }: ManagePorts & { signer: WebhookSigner },
): Promise<Webhook> =>
  changed(
    productId,
    webhookId,
    ({ secret: old, ...webhook }) => {
      const secret = signer.reference(old.generation + 1)
      const oldSecret = { ...old, endsAt: Date.now() + overlapSeconds * 1_000 }
      const { set, remove } = goingOn(webhook)
      return overlapSeconds === 0
        ? { set: { ...set, secret }, remove: [...remove, 'oldSecret'] }
        : { set: { ...set, secret, oldSecret }, remove }
    },
    ports,
  )

/** What has waited for a secret goes on with it, with the next sweep, unless its product has paused it. */
function goingOn({
  failures,
  lastFailure,
  pausedAt,
}: Pick<Webhook, 'failures' | 'lastFailure' | 'pausedAt'>) {
  if (failures === 0 || lastFailure?.code !== 'secret_ended') {
    return { set: {}, remove: ['leasedUntil'] as const }
  }
  const ofService = pausedAt === lastFailure.at ? (['pausedAt'] as const) : []
  return { set: { failures: 0 }, remove: [...pendingFields, ...ofService] }
}

const notPending = pendingFields.filter((name) => name !== 'pendingSince')

/** Lets a webhook go back to a time, in milliseconds since 1970, or begin there (D121). Throws WebhookNotFound. */
export const replayWebhook = (
  productId: ProductId,
  webhookId: WebhookId,
  since: number,
  ports: ManagePorts,
): Promise<Webhook> =>
  changed(
    productId,
    webhookId,
    ({ isVerified }) =>
      isVerified
        ? {
            set: {
              ...{ position: { chains: new Map(), since }, minutes: {}, failures: 0 },
              pendingSince: since,
            },
            remove: [...notPending, 'pausedAt', 'lastEventAt'],
          }
        : { set: { beginsAt: since } },
    ports,
  )

/** The maximum number of attempts while deliveries write the same webhook. */
const changeAttempts = 8

/** Decides a change of a webhook as it is, and makes it; decides anew if the webhook has changed meanwhile. */
async function changed(
  productId: ProductId,
  webhookId: WebhookId,
  decide: (webhook: Webhook) => WebhookChange,
  { webhooks, changeId }: ManagePorts,
): Promise<Webhook> {
  for (let attempt = 0; attempt < changeAttempts; attempt += 1) {
    const webhook = await webhooks.get(productId, webhookId)
    if (!webhook) throw new WebhookNotFound()
    // The change was made, but its response was lost, and the AWS SDK repeated it.
    if (webhook.changeId === changeId) return webhook
    const { set, ...change } = decide(webhook)
    const { fence } = webhook
    const made = { ...change, set: { ...set, changeId }, raisesFence: true }
    const result = await webhooks.change(productId, webhookId, made, { fence })
    if (result) return result
  }
  throw new ServiceUnavailable('a webhook was changed over and over')
}
