import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import type { AwsAccess } from '@player-nfts/local/aws/aws-access'

/** An item of the table: its key and its other attributes. */
export interface Item {
  pk: string
  sk: string
  [attribute: string]: unknown
}

/** What tests know of a service to read its table. */
export interface WithTable {
  readonly stack: {
    readonly aws: AwsAccess
    readonly resources: { readonly tableName: string }
  }
}

/** Opens the table of a service, so that a test can read its items. */
export function tableOf({ stack: { aws, resources } }: WithTable) {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(aws))
  const name = resources.tableName
  return {
    client,
    name,
    /** Returns every item of the partitions whose keys begin with this prefix. */
    async itemsUnder(prefix: string): Promise<Item[]> {
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
