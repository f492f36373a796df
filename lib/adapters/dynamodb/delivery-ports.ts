import { dynamoAllowedTokenIds } from './allowed-token-ids.ts'
import { dynamoContracts } from './contracts.ts'
import { dynamoNftEventLog } from './nft-event-log.ts'
import { dynamoProductAccess } from './product-access.ts'
import { dynamoProductEvents } from './product-events.ts'
import type { Table } from './table.ts'
import { dynamoWebhookPlaces } from './webhook-places.ts'
import { dynamoWebhookSubscribers } from './webhook-subscribers.ts'
import { dynamoWebhooks } from './webhooks.ts'

/** What a delivery to a webhook reads and writes in the table (D122). */
export const dynamoDeliveryPorts = (table: Table) => ({
  webhooks: dynamoWebhooks(table),
  subscribers: dynamoWebhookSubscribers(table),
  places: dynamoWebhookPlaces(table),
  productAccess: dynamoProductAccess(table),
  contracts: dynamoContracts(table),
  allowedTokenIds: dynamoAllowedTokenIds(table),
  nftEventLog: dynamoNftEventLog(table),
  events: dynamoProductEvents(table),
})
