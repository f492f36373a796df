import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { followedContractKey } from '../../../lib/adapters/dynamodb/table.ts'
import type { ContractKey } from '../../../lib/domain/nft.ts'
import type { AwsAccess } from '../../../local/aws/aws-access.ts'

/** Writes the lease of a contract into a table, as a read of a player's NFTs does (D66). */
export async function leaseContract(
  access: AwsAccess,
  TableName: string,
  contract: ContractKey,
): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(access))
  const Item = { ...followedContractKey(contract), leasedUntil: Date.now() + 86_400_000 }
  await client.send(new PutCommand({ TableName, Item }))
  client.destroy()
}
