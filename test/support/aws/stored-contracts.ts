import { randomUUID } from 'node:crypto'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { allowedKey } from '../../../lib/adapters/dynamodb/keys/binding-partition.ts'
import { contractKey } from '../../../lib/adapters/dynamodb/keys/product-partition.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { toAddress } from '../../../lib/domain/nft/address.ts'
import { type Chain, isChain } from '../../../lib/domain/nft/chain.ts'
import type { BindingId } from '../../../lib/domain/nft/nft.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import type { ToAllowlist } from '../requests/reading.ts'
import type { OwnService } from '../services/own-service.ts'
import { tableOf } from './table.ts'

/**
 * Connects contracts to the product of an API key and allowlists their NFTs, without the service. The chains
 * can be those that only an earlier release opened (D56).
 */
export async function storeContracts(
  service: OwnService,
  apiKey: string,
  ...contracts: readonly ToAllowlist[]
): Promise<void> {
  const { client, name: TableName } = tableOf(service)
  const { json } = await service.call('GET /product', { apiKey })
  const productId = json.data.productId as ProductId
  for (const { chain, address, tokenIds } of contracts) {
    const bindingId = randomUUID() as string as BindingId
    const key = contractKey(productId, { chain: known(chain), address: toAddress(address) })
    const createdAt = '2026-01-01T00:00:00.000Z'
    const items = [
      { ...key, bindingId, createdAt },
      ...tokenIds.map((tokenId) => allowedKey(bindingId, tokenId as TokenId)),
    ]
    for (const Item of items) await client.send(new PutCommand({ TableName, Item }))
  }
}

function known(name: string): Chain {
  if (isChain(name)) return name
  throw new RangeError(`${name} is not the name of a chain`)
}
