import { alchemyIndexer } from '../../lib/adapters/alchemy/alchemy-indexer.ts'
import { dynamoKeptContracts } from '../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import { dynamoTokenMetadata } from '../../lib/adapters/dynamodb/keeping/token-metadata.ts'
import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProductUse } from '../../lib/adapters/dynamodb/product-use.ts'
import { dynamoRefreshes } from '../../lib/adapters/dynamodb/refreshes.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { sqsWorkQueue } from '../../lib/adapters/sqs/work-queue.ts'
import { reportRefresh } from '../../lib/contract/refresh-report.ts'
import { refreshProductContract } from '../../lib/domain/refresh/refresh.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { keepingSettings } from '../../lib/settings/keeping.ts'
import { indexerLimits, refreshSettings } from '../../lib/settings/limits.ts'
import { allowlistPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

const table = openTable()
const { keptChains } = keepingSettings()

/** 4.7: has the indexer fetch a contract's metadata from its source and reports the changes (D31). */
export const handler = handlerOf(
  row,
  {
    ...allowlistPorts(table),
    // A batch compares the metadata of two calls.
    productUse: dynamoProductUse(table, { ...indexerLimits(), firstCalls: 2 }),
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
  },
  async ({ productId, keyId, body, deadline }, ports) => {
    const { smartContract: address, chain } = body
    const actor = { productId, keyId }
    const refreshes = await refreshProductContract(actor, { address, chain }, deadline, ports)
    return { data: reportRefresh(address, refreshes) }
  },
)
