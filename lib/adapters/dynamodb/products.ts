import { randomUUID } from 'node:crypto'
import { branded } from '../../domain/branded.ts'
import type { Products } from '../../domain/ports/products.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { type ProductKey, registrationKeyLabel } from '../../domain/product/product-key.ts'
import { apiKeyDigest, newKeyId } from './api-keys.ts'
import { putItem, updatedItem } from './item-writes.ts'
import type { Key } from './keys/key.ts'
import { productKey } from './keys/product-partition.ts'
import { apiKeyKey } from './keys/single-items.ts'
import { entryOf, inUse, storedProduct } from './product-item.ts'
import type { Table } from './table.ts'

export const dynamoProducts = (table: Table): Products => ({
  prepare(product, apiKey) {
    const productId = branded<ProductId>(randomUUID())
    const createdAt = new Date().toISOString()
    const key: ProductKey = {
      keyId: newKeyId(),
      digest: apiKeyDigest(apiKey),
      scope: 'MANAGE',
      label: registrationKeyLabel,
      last4: apiKey.slice(-4),
      createdAt,
    }
    const Item = {
      ...productKey(productId),
      ...product,
      createdAt,
      keys: { [key.keyId]: entryOf(key) },
      keysVersion: 1,
    }
    const keyItem = { ...apiKeyKey(key.digest), productId, keyId: key.keyId, createdAt }
    const put = async (item: Key) => {
      await putItem(table, item)
    }
    return {
      productId,
      keyId: key.keyId,
      storeKey: () => put(keyItem),
      store: () => put(Item),
    }
  },

  async update(productId, changes) {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined)
    const set = Object.fromEntries(given.filter(([, value]) => value !== null))
    const remove = given.filter(([, value]) => value === null).map(([name]) => name)
    const update = { set, remove, conditions: inUse }
    const updated = await updatedItem(table, productKey(productId), update, 'ALL_NEW')
    return updated && storedProduct(productId, updated).product
  },
})
