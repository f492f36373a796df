import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb'
import {
  followedContractKey,
  followedContractsOf,
  followKey,
} from '../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { ContractKey } from '../../../lib/domain/nft/nft.ts'
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

/** Deletes the leases of all contracts on a chain, so that the next read of a player's NFTs writes them. */
export async function forgetLeases(
  access: AwsAccess,
  TableName: string,
  chain: Chain,
): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(access))
  for (const { pk, sk } of await leasesIn(client, TableName, chain)) {
    await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }))
  }
  client.destroy()
}

/** Notes what a follower notes of all leased contracts on a chain on which nothing moves. */
export async function followLeased(
  access: AwsAccess,
  TableName: string,
  chain: Chain,
): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(access))
  const put = (Item: object) => client.send(new PutCommand({ TableName, Item }))
  for (const item of await leasesIn(client, TableName, chain)) {
    await put({ ...item, since: { number: 1, at: 1 } })
  }
  const at = Date.now()
  const head = { number: 2, at, hash: '0x2' }
  await put({ ...followKey(chain), head, confirmedUpTo: at, distrustedBefore: 0 })
  client.destroy()
}

async function leasesIn(client: DynamoDBDocumentClient, TableName: string, chain: Chain) {
  const { pk, prefix } = followedContractsOf(chain)
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
    }),
  )
  return Items
}
