import { allowlistNfts, hooks } from '../../functions/allowlist-nfts/handler.ts'
import { row } from '../../functions/allowlist-nfts/operation.ts'
import { productCallerPorts } from '../../functions/composition/product-ports.ts'
import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProductUse } from '../../lib/adapters/dynamodb/product-use.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { allowlistSettings } from '../../lib/settings/indexer.ts'
import { allowlistingLimits } from '../../lib/settings/limits.ts'

const table = openTable({ requestsAtOnce: 1 })

/** The function of 4.3 with one request to DynamoDB at a time: the measure for its parallel writes. */
export const handler = handlerOf(
  row,
  {
    ...productCallerPorts(table),
    productUse: dynamoProductUse(table, allowlistingLimits()),
    openChains: allowlistSettings().openChains,
    contracts: dynamoContracts(table),
    allowedTokenIds: dynamoAllowedTokenIds(table),
    events: dynamoProductEvents(table),
  },
  allowlistNfts,
  hooks,
)
