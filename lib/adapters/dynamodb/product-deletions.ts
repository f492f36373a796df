import type { QueryCommandOutput } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import type { ProductDeletions } from '../../domain/ports/products.ts'
import { deleteAll } from './batches.ts'
import { QueryCommand } from './commands.ts'
import { deleteItem, updateItem } from './item-writes.ts'
import type { Key } from './keys/key.ts'
import { productKey } from './keys/product-partition.ts'
import { apiKeyKey } from './keys/single-items.ts'
import { queryOf } from './prefix-reads.ts'
import type { Table } from './table.ts'

/** The items in the partition of a product. Only the record of a key has a digest. */
const itemsOfProduct = v.array(
  v.object({ pk: v.string(), sk: v.string(), digest: v.exactOptional(v.string()) }),
)

/** The deletion of the products in the table (D45). */
export function dynamoProductDeletions(table: Table): ProductDeletions {
  return {
    end: ({ productId }) =>
      updateItem(table, productKey(productId), {
        set: { endedAt: new Date().toISOString() },
        conditions: [['pk', 'exists']],
      }),

    async sweep({ productId, keys }, until) {
      let apiKeys = await deleteApiKeys(keys.map(({ digest }) => digest))
      let items = 0
      const { pk, sk: profile } = productKey(productId)
      const query = { ...queryOf(table, { pk }, 'pk, sk, digest'), Limit: 1_000 }
      // Continues after the deleted keys: a store such as LevelDB still scans them for a while.
      let last: QueryCommandOutput['LastEvaluatedKey']
      do {
        if (Date.now() >= until) return { isDone: false, apiKeys, items }
        const { Items = [], LastEvaluatedKey } = await table.client.send(
          new QueryCommand({ ...query, ExclusiveStartKey: last }),
        )
        const found = v.parse(itemsOfProduct, Items)
        // The record of a key is the only trace of its digest, so it is deleted after the key.
        apiKeys += await deleteApiKeys(found.flatMap(({ digest }) => digest ?? []))
        items += await deleteItems(found.filter(({ sk }) => sk !== profile))
        last = LastEvaluatedKey
      } while (last)
      return { isDone: true, apiKeys, items }
    },

    async remove(productId) {
      await deleteItem(table, productKey(productId), { conditions: [['endedAt', 'exists']] })
    },
  }

  async function deleteApiKeys(digests: readonly string[]): Promise<number> {
    return await deleteItems([...new Set(digests)].map(apiKeyKey))
  }

  async function deleteItems(keys: readonly Key[]): Promise<number> {
    await deleteAll(table, keys)
    return keys.length
  }
}
