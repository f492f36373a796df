import { dynamoAllowedTokenIds } from '../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoApiKeys } from '../lib/adapters/dynamodb/api-keys.ts'
import { dynamoContracts } from '../lib/adapters/dynamodb/contracts.ts'
import { openTable } from '../lib/adapters/dynamodb/table.ts'
import { unbindingReport } from '../lib/contract/unbinding-report.ts'
import { removeAllowedNfts } from '../lib/domain/change-allowlist.ts'
import type { AllowedTokenIds, Contracts } from '../lib/domain/ports.ts'
import { operation } from '../lib/http/endpoint.ts'
import { lambda } from '../lib/http/lambda.ts'

/** 4.6: removes NFTs from a contract's allowlist and reports the number of removed NFTs (D20, D36). */
export const unbindNfts = operation(
  'unbindNfts',
  async (
    { productId, query },
    ports: { contracts: Contracts; allowedTokenIds: AllowedTokenIds },
  ) => {
    const { chain, contractAddress: address, tokens } = query
    const removed = await removeAllowedNfts(productId, { chain, address }, tokens, ports)
    return { data: unbindingReport({ chain, address }, removed) }
  },
)

const table = openTable()

export const handler = lambda(unbindNfts, {
  apiKeys: dynamoApiKeys(table),
  contracts: dynamoContracts(table),
  allowedTokenIds: dynamoAllowedTokenIds(table),
})
