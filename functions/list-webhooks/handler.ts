import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoNftEventLog } from '../../lib/adapters/dynamodb/nft-event-log.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoWebhooks } from '../../lib/adapters/dynamodb/webhooks.ts'
import { webhookEntryOf } from '../../lib/contract/webhook.ts'
import type { NftEventSettings } from '../../lib/domain/nft-events/read-nft-events.ts'
import type { Contracts } from '../../lib/domain/ports/allowlist.ts'
import type { NftEventLog } from '../../lib/domain/ports/nft-event-log.ts'
import type { Webhooks } from '../../lib/domain/ports/webhooks.ts'
import { contractsWithoutEvents } from '../../lib/domain/webhooks/contracts-with-webhooks.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { nftEventSettings } from '../../lib/settings/following.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { row } from './operation.ts'

interface Ports {
  webhooks: Pick<Webhooks, 'list'>
  contracts: Pick<Contracts, 'list'>
  nftEventLog: Pick<NftEventLog, 'leases'>
  settings: NftEventSettings
}

/** D121: the webhooks of the product, and which of its contracts have no events. */
export const listWebhooks = operation(row, async ({ productId }, ports: Ports) => {
  const now = Date.now()
  const [all, without] = await Promise.all([
    ports.webhooks.list(productId),
    contractsWithoutEvents(productId, now, ports, ports.settings),
  ])
  return { data: { webhooks: all.map((webhook) => webhookEntryOf(webhook, now)), ...without } }
})

const table = openTable()

export const handler = lambda(listWebhooks, {
  ...productCallerPorts(table),
  webhooks: dynamoWebhooks(table),
  contracts: dynamoContracts(table),
  nftEventLog: dynamoNftEventLog(table),
  settings: nftEventSettings(),
})
