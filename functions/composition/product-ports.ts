import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoApiKeys } from '../../lib/adapters/dynamodb/api-keys.ts'
import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProductKeys } from '../../lib/adapters/dynamodb/product-keys.ts'
import { dynamoProductUse } from '../../lib/adapters/dynamodb/product-use.ts'
import { openTable, type Table } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoUsageCounters } from '../../lib/adapters/dynamodb/usage-counters.ts'
import type { ShownLimit } from '../../lib/domain/limit/limit.ts'
import { usageRecorder } from '../../lib/domain/usage/usage-recorder.ts'
import {
  allowlistingLimits,
  clientIndexerLimits,
  clientReadLimits,
  indexerLimits,
  newKeyLimits,
  usageSettings,
} from '../../lib/settings/limits.ts'

/** The ports that identify the product of an API key, say what it permits (D46), and count its usage (D55). */
export const productCallerPorts = (table: Table) => ({
  apiKeys: dynamoApiKeys(table),
  productAccess: dynamoProductAccess(table),
  usage: usageRecorder(dynamoUsageCounters(table), usageSettings().delaySeconds),
})

/** The ports of the operations on a product's keys (D46). */
export const keyPorts = (table = openTable()) => ({
  ...productCallerPorts(table),
  productKeys: dynamoProductKeys(table),
  events: dynamoProductEvents(table),
})

/** The ports of the operations that add a key to a product, which has a limit of new keys (D47). */
export function newKeyPorts() {
  const table = openTable()
  return { ...keyPorts(table), productUse: dynamoProductUse(table, newKeyLimits()) }
}

/** The limits that can refuse calls of a product, as problem details name them (D47, D64). */
export function productLimits(): readonly ShownLimit[] {
  const { allowlisting, maxNfts } = allowlistingLimits()
  return [
    ...indexerLimits().indexer,
    ...clientIndexerLimits().clientIndexer,
    ...clientReadLimits(),
    ...allowlisting,
    ...(maxNfts === undefined ? [] : [{ name: 'nfts', count: maxNfts } as const]),
    ...newKeyLimits().requests,
  ]
}

export const allowlistPorts = (table: Table) => ({
  ...productCallerPorts(table),
  contracts: dynamoContracts(table),
  allowedTokenIds: dynamoAllowedTokenIds(table),
})
