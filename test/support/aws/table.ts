import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import type { OwnService } from '../services/own-service.ts'

/** An item of the table: its key, and what else it holds. */
export interface Item {
  pk: string
  sk: string
  [attribute: string]: unknown
}

/** The table of a test's own service, past the service. */
export interface TestTable {
  client: DynamoDBDocumentClient
  name: string
  /** Every item of the partitions whose keys begin so. */
  itemsUnder(prefix: string): Promise<Item[]>
}

/** Opens the table of a service, to look at what it keeps there. */
export function tableOf({ stack: { aws, resources } }: OwnService): TestTable {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(aws))
  const name = resources.tableName
  return {
    client,
    name,
    async itemsUnder(prefix) {
      const items: Item[] = []
      const pages = paginateScan(
        { client },
        {
          TableName: name,
          FilterExpression: 'begins_with(pk, :prefix)',
          ExpressionAttributeValues: { ':prefix': prefix },
          ConsistentRead: true,
        },
      )
      for await (const page of pages) items.push(...((page.Items ?? []) as Item[]))
      return items
    },
  }
}
