import { alchemyIndexer } from '../../lib/adapters/alchemy/alchemy-indexer.ts'
import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoProductUse } from '../../lib/adapters/dynamodb/product-use.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { writeListCursor } from '../../lib/contract/list-cursors.ts'
import { maxResponseBytes, renderStructured } from '../../lib/contract/nft-entries.ts'
import { listNfts, type NftsPorts } from '../../lib/domain/allowlist/list-nfts.ts'
import type { Gateways } from '../../lib/domain/nft/image-url.ts'
import type { IndexedNft } from '../../lib/domain/nft/owned-nft.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { gatewaySettings } from '../../lib/settings/indexer.ts'
import { indexerLimits } from '../../lib/settings/limits.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { row } from './operation.ts'

/** D60: the product's allowlisted NFTs with their metadata, page by page, in the order of 4.4. */
export const getNfts = operation(
  row,
  async (
    { productId, query: { cursor, ...range }, deadline },
    { gateways, ...ports }: NftsPorts & { gateways: Gateways },
  ) => {
    const render = (nft: IndexedNft) => renderStructured(nft, gateways)
    const form = { render, maxSize: maxResponseBytes }
    const query = { productId, ...range, after: cursor, deadline }
    const { entries, next } = await listNfts(query, form, ports)
    return { data: entries, nextCursor: next && writeListCursor(next) }
  },
)

const table = openTable()

export const handler = lambda(getNfts, {
  ...productCallerPorts(table),
  productUse: dynamoProductUse(table, indexerLimits()),
  contracts: dynamoContracts(table),
  allowedTokenIds: dynamoAllowedTokenIds(table),
  indexer: alchemyIndexer(secretsIndexerKey()),
  gateways: gatewaySettings(),
})
