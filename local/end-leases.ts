import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { unlessConditionFails } from '../lib/adapters/dynamodb/conditional-write.ts'
import { endingLease } from '../lib/adapters/dynamodb/follow-updates.ts'
import { followKey } from '../lib/adapters/dynamodb/keys/follow-partition.ts'
import { isChain } from '../lib/domain/nft/chain.ts'
import type { AwsAccess } from './aws/aws-access.ts'
import { followedChains, type LocalSettings } from './settings.ts'

/**
 * Ends the leases of followers that were killed with their stack, so that the next ones follow at once (D86). Only for a
 * table that no other process uses.
 */
export async function endLeases(
  settings: LocalSettings,
  aws: AwsAccess,
  TableName: string,
): Promise<void> {
  const client = new DynamoDBClient(aws)
  try {
    for (const chain of followedChains(settings).filter(isChain)) {
      const { pk, sk } = followKey(chain)
      const Key = { pk: { S: pk }, sk: { S: sk } }
      // Without the condition, the update would make an item.
      const ConditionExpression = 'attribute_exists(leasedUntil)'
      const command = { TableName, Key, ...endingLease, ConditionExpression }
      await unlessConditionFails(client.send(new UpdateItemCommand(command)))
    }
  } finally {
    client.destroy()
  }
}
