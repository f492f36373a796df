import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'

/** An item of the table: its key and its other attributes. */
export interface Item {
  pk: string
  sk: string
  [attribute: string]: unknown
}

/** The table of a test's own service, accessed without the service. */
interface TestTable {
  client: DynamoDBDocumentClient
  name: string
  /** Returns every item of the partitions whose keys begin with this prefix. */
  itemsUnder(prefix: string): Promise<Item[]>
}

/** What tests know of a service to read its table. */
export interface WithTable {
  readonly stack: {
    readonly aws: DynamoDBClientConfig
    readonly resources: { readonly tableName: string }
  }
}

/** Opens the table of a service, so that a test can read its items. */
export function tableOf({ stack: { aws, resources } }: WithTable): TestTable {
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
