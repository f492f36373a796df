import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { newWebhookId } from '../../lib/adapters/random/webhook-ids.ts'
import { webhookEntryOf, webhookUrlIn } from '../../lib/contract/webhook.ts'
import type { NftEventSettings } from '../../lib/domain/nft-events/read-nft-events.ts'
import type { Contracts } from '../../lib/domain/ports/allowlist.ts'
import type { ProductEvents } from '../../lib/domain/ports/product-events.ts'
import type { WebhookSigner } from '../../lib/domain/ports/webhook-delivery.ts'
import type { Webhooks } from '../../lib/domain/ports/webhooks.ts'
import { recordChange } from '../../lib/domain/product/record-change.ts'
import { checkContractCount } from '../../lib/domain/webhooks/contracts-with-webhooks.ts'
import { createWebhook as create } from '../../lib/domain/webhooks/manage-webhooks.ts'
import { webhookEventTypes } from '../../lib/domain/webhooks/webhook.ts'
import type { WebhookId } from '../../lib/domain/webhooks/webhook-id.ts'
import type { WebhookUrlRules } from '../../lib/domain/webhooks/webhook-url.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { nftEventSettings } from '../../lib/settings/following.ts'
import { webhookUrlSettings } from '../../lib/settings/webhooks.ts'
import { webhookPorts, webhookSigner } from '../composition/webhook-ports.ts'
import { row } from './operation.ts'

interface Ports {
  webhooks: Webhooks
  contracts: Pick<Contracts, 'list'>
  events: ProductEvents
  signer: WebhookSigner
  newWebhookId(): WebhookId
  urls: WebhookUrlRules
  settings: NftEventSettings
}

/** D121: registers a URL for the events of the product, and returns its secret, once. */
export const createWebhook = operation(row, async ({ productId, keyId, body }, ports: Ports) => {
  const { signer, urls, settings } = ports
  const url = webhookUrlIn(body.url, urls)
  await checkContractCount(productId, ports, settings)
  const { events = webhookEventTypes, description = '' } = body
  const webhookId = ports.newWebhookId()
  const make = () => create(productId, { webhookId, url, events, description }, ports)
  const event = { action: 'createWebhook', keyId, webhookId } as const
  const webhook = await recordChange(productId, event, { make }, ports.events)
  const secret = signer.secret(webhookId, webhook.secret) ?? ''
  return { data: { ...webhookEntryOf(webhook, Date.now()), secret } }
})

const table = openTable()

export const handler = lambda(createWebhook, {
  ...webhookPorts(table),
  contracts: dynamoContracts(table),
  signer: webhookSigner(),
  newWebhookId,
  urls: webhookUrlSettings(),
  settings: nftEventSettings(),
})
