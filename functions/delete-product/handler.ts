import { dynamoProductDeletions } from '../../lib/adapters/dynamodb/product-deletions.ts'
import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { sqsWorkQueue } from '../../lib/adapters/sqs/work-queue.ts'
import { endProduct } from '../../lib/domain/product/delete-product.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { productCallerPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** D45: ends the product with the very next request, everywhere, and deletes everything of it in the background. */
export const handler = handlerOf(
  row,
  {
    ...productCallerPorts(table),
    productDeletions: dynamoProductDeletions(table),
    events: dynamoProductEvents(table),
    workQueue: sqsWorkQueue(),
  },
  async ({ productId, keyId, access, query, deadline }, ports) => {
    await endProduct(await access, { keyId, ...query }, deadline, ports)
    return {
      data: { message: `Product ${productId} has ended and is being deleted.` },
    }
  },
)
