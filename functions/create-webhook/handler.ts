import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { newWebhookId } from '../../lib/adapters/random/random-text.ts'
import { webhookEntryOf, webhookUrlIn } from '../../lib/contract/webhook.ts'
import { recordChange } from '../../lib/domain/product/record-change.ts'
import { checkContractCount } from '../../lib/domain/webhooks/contracts-with-webhooks.ts'
import { createWebhook } from '../../lib/domain/webhooks/manage-webhooks.ts'
import { webhookEventTypes } from '../../lib/domain/webhooks/webhook.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { nftEventSettings } from '../../lib/settings/following.ts'
import { webhookUrlSettings } from '../../lib/settings/webhooks.ts'
import { webhookPorts, webhookSigner } from '../composition/webhook-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** D121: registers a URL for the events of the product, and returns its secret, once. */
export const handler = handlerOf(
  row,
  {
    ...webhookPorts(table),
    contracts: dynamoContracts(table),
    signer: webhookSigner(),
    newWebhookId,
    urls: webhookUrlSettings(),
    settings: nftEventSettings(),
  },
  async ({ productId, keyId, body }, ports) => {
    const { signer, urls, settings } = ports
    const url = webhookUrlIn(body.url, urls)
    await checkContractCount(productId, ports, settings)
    const { events = webhookEventTypes, description = '' } = body
    const webhookId = ports.newWebhookId()
    const make = () => createWebhook(productId, { webhookId, url, events, description }, ports)
    const event = { action: 'createWebhook', keyId, webhookId } as const
    const webhook = await recordChange(productId, event, { make }, ports.events)
    const secret = signer.secret(webhookId, webhook.secret) ?? ''
    return { data: { ...webhookEntryOf(webhook, Date.now()), secret } }
  },
)
