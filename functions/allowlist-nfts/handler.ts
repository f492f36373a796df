import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProductUse } from '../../lib/adapters/dynamodb/product-use.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { allowlist } from '../../lib/domain/allowlist/allowlist-nfts.ts'
import { defaultChain } from '../../lib/domain/nft/chain.ts'
import type { AllowlistPorts } from '../../lib/domain/ports/allowlist.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { allowlistSettings } from '../../lib/settings/indexer.ts'
import { allowlistingLimits } from '../../lib/settings/limits.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { webhookSignals } from '../composition/webhook-ports.ts'
import { row } from './operation.ts'

/** 4.3: connects a contract and adds NFTs to the allowlist; returns the NFTs of the request (D17, D57). */
export const allowlistNfts = operation(
  row,
  async ({ productId, keyId, body }, ports: AllowlistPorts) => {
    const request = {
      contract: { address: body.contractAddress, chain: body.chain ?? defaultChain },
      description: body.contractDescription,
      elements: body.tokens,
    }
    return { data: await allowlist({ productId, keyId }, request, ports) }
  },
  { nfts: ({ body }) => body.tokens.length },
)

const table = openTable()

export const handler = lambda(allowlistNfts, {
  ...productCallerPorts(table),
  productUse: dynamoProductUse(table, allowlistingLimits()),
  openChains: allowlistSettings().openChains,
  contracts: dynamoContracts(table),
  allowedTokenIds: dynamoAllowedTokenIds(table),
  events: dynamoProductEvents(table),
  webhookSignals: webhookSignals(),
})
