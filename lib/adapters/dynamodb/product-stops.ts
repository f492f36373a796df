import type { ProductStop, ProductStops } from '../../domain/ports/products.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { productKey } from './keys/product-partition.ts'
import { storedProduct } from './product-item.ts'
import type { Table } from './table.ts'

/** The stops of the products in the table. Each change is one write, which every next request sees (D45). */
export function dynamoProductStops({ client, name: TableName }: Table): ProductStops {
  /** Changes the product, unless it does not exist or is being deleted, and says what it was before. */
  async function change(
    productId: ProductId,
    UpdateExpression: string,
    ExpressionAttributeValues?: Record<string, string>,
  ) {
    const written = await unlessConditionFails(
      client.send(
        new UpdateCommand({
          TableName,
          Key: productKey(productId),
          UpdateExpression,
          ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(endedAt)',
          ...(ExpressionAttributeValues && { ExpressionAttributeValues }),
          ReturnValues: 'ALL_OLD',
        }),
      ),
    )
    return written && storedProduct(productId, written.Attributes)
  }
  return {
    async stop(productId): Promise<ProductStop | undefined> {
      const now = { ':now': new Date().toISOString() }
      // A repeat keeps the time of the first stop.
      const before = await change(productId, 'SET stoppedAt = if_not_exists(stoppedAt, :now)', now)
      return before && { name: before.product.name, hasChanged: before.stoppedAt === undefined }
    },
    async start(productId): Promise<ProductStop | undefined> {
      const before = await change(productId, 'REMOVE stoppedAt')
      return before && { name: before.product.name, hasChanged: before.stoppedAt !== undefined }
    },
  }
}
