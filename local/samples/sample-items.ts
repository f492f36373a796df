import { awsClient } from '../../lib/adapters/aws/aws-client.ts'
import { dynamodb } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoUsageCounters } from '../../lib/adapters/dynamodb/usage-counters.ts'
import { dynamoUserIds } from '../../lib/adapters/dynamodb/user-ids.ts'
import { dynamoWalletLists } from '../../lib/adapters/dynamodb/wallet-lists.ts'
import { dynamoWalletOwners } from '../../lib/adapters/dynamodb/wallet-owners.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import { linkWallet, type WalletUserPorts } from '../../lib/domain/sign-in/wallet-users.ts'
import { callName, type Day, latestDays, type UsageCounts } from '../../lib/domain/usage/usage.ts'
import type { LocalStack } from '../local-stack.ts'
import { type SamplePlayer, samples } from './samples.ts'

/** The number of days before today that the usage of the sample product has. */
const sampleDays = 30

/**
 * Writes the usage of a new sample product for the 30 days before today, so that the page Usage of the dashboard shows
 * what it is for. Returns the last of these days. `now`: milliseconds since 1970.
 */
export async function writeSampleUsage(
  { aws, resources }: Pick<LocalStack, 'aws' | 'resources'>,
  productId: ProductId,
  now: number,
): Promise<Day> {
  const client = awsClient(dynamodb, aws)
  const counters = dynamoUsageCounters({ client, name: resources.tableName, requestsAtOnce: 1 })
  const [, ...days] = latestDays(sampleDays + 1, now)
  for (const [index, day] of days.entries()) {
    await counters.add(productId, day, usageOf(day, days.length - index), { isRead: true })
  }
  return days[0] as Day
}

/** The usage of the day with this number, from 1 on: more at weekends and from week to week, and once a bad hour of the indexer. */
function usageOf(day: Day, number: number): UsageCounts {
  const weekday = new Date(day).getUTCDay()
  const isWeekend = weekday === 0 || weekday === 6
  const players = Math.round((18 + number) * (isWeekend ? 1.6 : 1) + ((number * 7) % 5))
  const reads = players * 9
  const isBadDay = number === 21
  const calls = {
    [callName({ operation: 'getStructuredMetadata', outcome: 'success' })]: reads,
    [callName({ operation: 'getRawMetadata', outcome: 'success' })]: Math.round(reads / 6),
    [callName({ operation: 'getStructuredMetadata', outcome: 'invalid_player_token' })]: number % 4,
    [callName({ operation: 'getAllowedNfts', outcome: 'success' })]: 4 + (number % 3),
    ...(isBadDay && {
      [callName({ operation: 'getStructuredMetadata', outcome: 'indexer_unavailable' })]: 23,
    }),
  }
  return {
    calls: new Map(Object.entries(calls).filter(([, count]) => count > 0)),
    indexerCalls: Math.round(reads * 0.4),
    userIds: new Set(Array.from({ length: players }, (_, index) => 2_000 + index)),
    limited: new Map(),
  }
}

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
    userIds: dynamoUserIds(table),
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
