import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProductUse } from '../../lib/adapters/dynamodb/product-use.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { allowlist } from '../../lib/domain/allowlist/allowlist-nfts.ts'
import { defaultChain } from '../../lib/domain/nft/chain.ts'
import type { AllowlistPorts } from '../../lib/domain/ports/allowlist.ts'
import type { Input } from '../../lib/http/endpoint.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { allowlistSettings } from '../../lib/settings/indexer.ts'
import { allowlistingLimits } from '../../lib/settings/limits.ts'
import { allowlistPorts } from '../composition/product-ports.ts'
import { webhookSignals } from '../composition/webhook-ports.ts'
import { row } from './operation.ts'

/** 4.3: connects a contract and adds NFTs to the allowlist; returns the NFTs of the request (D17, D57). */
export async function allowlistNfts(
  { productId, keyId, body }: Input<typeof row>,
  ports: AllowlistPorts,
) {
  const request = {
    contract: { address: body.contractAddress, chain: body.chain ?? defaultChain },
    description: body.contractDescription,
    elements: body.tokens,
  }
  return { data: await allowlist({ productId, keyId }, request, ports) }
}

/** What a request counts against the limit of allowlisted NFTs (D47). */
export const hooks = { nfts: ({ body }: Input<typeof row>) => body.tokens.length }

const table = openTable()

export const handler = handlerOf(
  row,
  {
    ...allowlistPorts(table),
    productUse: dynamoProductUse(table, allowlistingLimits()),
    openChains: allowlistSettings().openChains,
    events: dynamoProductEvents(table),
    webhookSignals: webhookSignals(),
  },
  allowlistNfts,
  hooks,
)
