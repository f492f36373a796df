import { webhookEntryOf } from '../../lib/contract/webhook.ts'
import { recordChange } from '../../lib/domain/product/record-change.ts'
import { existingWebhook, rotateWebhookSecret } from '../../lib/domain/webhooks/manage-webhooks.ts'
import { defaultSecretOverlapSeconds } from '../../lib/domain/webhooks/webhook.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { webhookPorts, webhookSigner } from '../composition/webhook-ports.ts'
import { row } from './operation.ts'

/** D123: replaces the secret of a webhook by a new one, which it returns once; both sign during the overlap. */
export const handler = handlerOf(
  row,
  { ...webhookPorts(), signer: webhookSigner() },
  async ({ productId, keyId, path, body }, { events, ...ports }) => {
    const { webhookId } = await existingWebhook(productId, path.webhookId, ports)
    const { overlapSeconds = defaultSecretOverlapSeconds } = body
    const make = (changeId: string) =>
      rotateWebhookSecret(productId, webhookId, { overlapSeconds }, { ...ports, changeId })
    const event = { action: 'rotateWebhookSecret', keyId, webhookId } as const
    const webhook = await recordChange(productId, event, { make }, events)
    const secret = ports.signer.secret(webhookId, webhook.secret) ?? ''
    return { data: { ...webhookEntryOf(webhook, Date.now()), secret } }
  },
)
