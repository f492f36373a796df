import { alchemyIndexer } from '../../lib/adapters/alchemy/alchemy-indexer.ts'
import { dynamoProductUse } from '../../lib/adapters/dynamodb/product-use.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { writeListCursor } from '../../lib/contract/list-cursors.ts'
import { maxResponseBytes, renderStructured } from '../../lib/contract/nft-entries.ts'
import { listNfts } from '../../lib/domain/allowlist/list-nfts.ts'
import type { IndexedNft } from '../../lib/domain/nft/owned-nft.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { gatewaySettings } from '../../lib/settings/indexer.ts'
import { indexerLimits } from '../../lib/settings/limits.ts'
import { allowlistPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** D60: the product's allowlisted NFTs with their metadata, page by page, in the order of 4.4. */
export const handler = handlerOf(
  row,
  {
    ...allowlistPorts(table),
    productUse: dynamoProductUse(table, indexerLimits()),
    indexer: alchemyIndexer(secretsIndexerKey()),
    gateways: gatewaySettings(),
  },
  async ({ productId, query: { cursor, ...range }, deadline }, { gateways, ...ports }) => {
    const render = (nft: IndexedNft) => renderStructured(nft, gateways)
    const form = { render, maxSize: maxResponseBytes }
    const query = { productId, ...range, after: cursor, deadline }
    const { entries, next } = await listNfts(query, form, ports)
    return { data: entries, nextCursor: next && writeListCursor(next) }
  },
)
