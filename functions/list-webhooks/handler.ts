import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoNftEventLog } from '../../lib/adapters/dynamodb/nft-event-log.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoWebhooks } from '../../lib/adapters/dynamodb/webhooks.ts'
import { webhookEntryOf } from '../../lib/contract/webhook.ts'
import { contractsWithoutEvents } from '../../lib/domain/webhooks/contracts-with-webhooks.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { nftEventSettings } from '../../lib/settings/following.ts'
import { productCallerPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** D121: the webhooks of the product, and which of its contracts have no events. */
export const handler = handlerOf(
  row,
  {
    ...productCallerPorts(table),
    webhooks: dynamoWebhooks(table),
    contracts: dynamoContracts(table),
    nftEventLog: dynamoNftEventLog(table),
    settings: nftEventSettings(),
  },
  async ({ productId }, ports) => {
    const now = Date.now()
    const [all, without] = await Promise.all([
      ports.webhooks.list(productId),
      contractsWithoutEvents(productId, now, ports, ports.settings),
    ])
    return { data: { webhooks: all.map((webhook) => webhookEntryOf(webhook, now)), ...without } }
  },
)
