import { awsClient } from '../../lib/adapters/aws/aws-client.ts'
import { dynamodb } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoWalletLists } from '../../lib/adapters/dynamodb/wallet-lists.ts'
import { dynamoWalletOwners } from '../../lib/adapters/dynamodb/wallet-owners.ts'
import { dynamoWalletUserIds } from '../../lib/adapters/dynamodb/wallet-user-ids.ts'
import { linkWallet, type WalletUserPorts } from '../../lib/domain/sign-in/wallet-users.ts'
import type { LocalStack } from '../local-stack.ts'
import { type SamplePlayer, samples } from './samples.ts'

/**
 * Gives the sample players their wallets, so that each is the same user with a user JWT and with a wallet (D114). A wallet
 * that has moved to another user stays there, and a player who was forgotten gets none. `now`: milliseconds since 1970.
 */
export async function writeSampleUsers(
  { aws, resources }: Pick<LocalStack, 'aws' | 'resources'>,
  now: number,
): Promise<void> {
  const table = {
    client: awsClient(dynamodb, aws),
    name: resources.tableName,
    requestsAtOnce: 1,
  }
  const ports = {
    userIds: dynamoWalletUserIds(table),
    walletOwners: dynamoWalletOwners(table),
    walletLists: dynamoWalletLists(table),
  }
  for (const player of Object.values<SamplePlayer>(samples.players)) {
    await writeUser(player, Math.floor(now / 1_000), ports)
  }
}

async function writeUser(
  { userId, username, wallets }: SamplePlayer,
  at: number,
  ports: WalletUserPorts,
): Promise<void> {
  const { walletLists } = ports
  const list = await walletLists.get(userId)
  // With the name of the sample player, and not that of a wallet.
  const isKnown = await walletLists.replace(userId, list, list.wallets, { username, at })
  // The user was forgotten.
  if (!isKnown) return
  for (const wallet of wallets) await linkWallet(userId, wallet, at, ports)
}
