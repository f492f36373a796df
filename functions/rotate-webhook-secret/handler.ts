import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { randomText } from '../../lib/adapters/random/webhook-ids.ts'
import { webhookEntryOf } from '../../lib/contract/webhook.ts'
import type { ProductEvents } from '../../lib/domain/ports/product-events.ts'
import type { WebhookSigner } from '../../lib/domain/ports/webhook-delivery.ts'
import type { Webhooks } from '../../lib/domain/ports/webhooks.ts'
import { recordChange } from '../../lib/domain/product/record-change.ts'
import {
  existingWebhook,
  rotateWebhookSecret as rotate,
} from '../../lib/domain/webhooks/manage-webhooks.ts'
import { defaultSecretOverlapSeconds } from '../../lib/domain/webhooks/webhook.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { webhookPorts, webhookSigner } from '../composition/webhook-ports.ts'
import { row } from './operation.ts'

interface Ports {
  webhooks: Webhooks
  events: ProductEvents
  signer: WebhookSigner
}

/** D123: replaces the secret of a webhook by a new one, which it returns once; both sign during the overlap. */
export const rotateWebhookSecret = operation(
  row,
  async ({ productId, keyId, path, body }, { events, ...ports }: Ports) => {
    const { webhookId } = await existingWebhook(productId, path.webhookId, ports)
    const { overlapSeconds = defaultSecretOverlapSeconds } = body
    const changing = { ...ports, changeId: randomText() }
    const make = () => rotate(productId, webhookId, { overlapSeconds }, changing)
    const event = { action: 'rotateWebhookSecret', keyId, webhookId } as const
    const webhook = await recordChange(productId, event, { make }, events)
    const secret = ports.signer.secret(webhookId, webhook.secret) ?? ''
    return { data: { ...webhookEntryOf(webhook, Date.now()), secret } }
  },
)

const table = openTable()

export const handler = lambda(rotateWebhookSecret, {
  ...webhookPorts(table),
  signer: webhookSigner(),
})
