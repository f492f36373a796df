import { alchemyIndexer } from '../../lib/adapters/alchemy/alchemy-indexer.ts'
import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoKeptContracts } from '../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import { dynamoTokenMetadata } from '../../lib/adapters/dynamodb/keeping/token-metadata.ts'
import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProductUse } from '../../lib/adapters/dynamodb/product-use.ts'
import { dynamoRefreshes } from '../../lib/adapters/dynamodb/refreshes.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { sqsWorkQueue } from '../../lib/adapters/sqs/work-queue.ts'
import { reportRefresh } from '../../lib/contract/refresh-report.ts'
import { type RefreshPorts, refreshProductContract } from '../../lib/domain/refresh/refresh.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { keepingSettings } from '../../lib/settings/keeping.ts'
import { indexerLimits, refreshSettings } from '../../lib/settings/limits.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { row } from './operation.ts'

/** 4.7: has the indexer fetch a contract's metadata from its source and reports the changes (D31). */
export const refreshMetadata = operation(
  row,
  async ({ productId, keyId, body, deadline }, ports: RefreshPorts) => {
    const { smartContract: address, chain } = body
    const actor = { productId, keyId }
    const refreshes = await refreshProductContract(actor, { address, chain }, deadline, ports)
    return { data: reportRefresh(address, refreshes) }
  },
)

const table = openTable()
const { keptChains } = keepingSettings()

export const handler = lambda(refreshMetadata, {
  ...productCallerPorts(table),
  // A batch compares the metadata of two calls.
  productUse: dynamoProductUse(table, { ...indexerLimits(), firstCalls: 2 }),
  contracts: dynamoContracts(table),
  allowedTokenIds: dynamoAllowedTokenIds(table),
  refreshes: dynamoRefreshes(table),
  events: dynamoProductEvents(table),
  indexer: alchemyIndexer(secretsIndexerKey()),
  workQueue: sqsWorkQueue(),
  ...(keptChains.length > 0 && {
    refreshedMetadata: {
      keptChains,
      keptContracts: dynamoKeptContracts(table),
      tokenMetadata: dynamoTokenMetadata(table),
    },
  }),
  ...refreshSettings(),
})
