import type { PutCommandInput } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import type { Wallet } from '../../domain/nft/wallet.ts'
import type { ForgottenPlayers } from '../../domain/ports/players.ts'
import { brandedText } from '../branded-text.ts'
import { deleteAll } from './batches.ts'
import { PutCommand } from './commands.ts'
import { getItem } from './item-reads.ts'
import { deleteItem, unlessConditionFails, updateItem } from './item-writes.ts'
import { keysOf } from './keys/key.ts'
import { playerKey, subjectKey } from './keys/player-partition.ts'
import { userKey } from './keys/single-items.ts'
import { keptBalancesOf, walletOwnerKey } from './keys/wallet-partition.ts'
import { tombstoneSeconds } from './players.ts'
import { type PartitionRange, pagesUnder } from './prefix-reads.ts'
import type { Table } from './table.ts'

const walletsItem = v.object({ wallets: v.exactOptional(v.array(brandedText<Wallet>())) })

const walletsIn = (item: Record<string, unknown> = {}): readonly Wallet[] =>
  v.parse(walletsItem, item).wallets ?? []

/** When the player is forgotten; without one, always. */
type Condition = Pick<PutCommandInput, 'ConditionExpression'>

const subjectItem = v.object({ user: v.string() })

/** The forgotten players in the table. DynamoDB's TTL deletes the tombstones. */
export function dynamoForgottenPlayers(table: Table): ForgottenPlayers {
  const { client, name: TableName } = table

  return {
    forget: (userId) => forget(userId),
    forgetWithoutWallets: (userId) =>
      forget(userId, { ConditionExpression: 'attribute_not_exists(wallets[0])' }),
  }

  async function forget(userId: number, condition: Condition = {}): Promise<boolean> {
    const buried = await bury(userId, condition)
    if (!buried) return false
    const { wasStored, wallets } = buried
    for (const wallet of wallets) await deleteUnder(keptBalancesOf(wallet))
    for (const wallet of wallets) await free(wallet, userId)
    await forgetSubject(userId)
    const { pk, sk: profile } = playerKey(userId)
    await deleteUnder({ pk }, profile)
    await forgetWallets(userId)
    return wasStored
  }

  /** Deletes the items of a part of a partition, of any number. `but`: a sort key that stays. */
  async function deleteUnder(range: PartitionRange, but?: string): Promise<void> {
    for await (const items of pagesUnder(table, range, 'pk, sk')) {
      const keys = keysOf(items).filter(({ sk }) => sk !== but)
      await deleteAll(table, keys)
    }
  }

  /**
   * Replaces the player by the tombstone, which comes first: from then on, earlier tokens are refused. Until the end, it names
   * the wallets, so that a repeat knows them. `undefined` if the condition is not met.
   */
  async function bury(userId: number, condition: Condition) {
    const wallets = walletsIn(await getItem(table, playerKey(userId)))
    const forgottenAt = Math.floor(Date.now() / 1000)
    // An earlier user JWT must not record the player again, so the tombstone has the time as issuedAt too.
    const tombstone = { userId, wallets, issuedAt: forgottenAt, forgottenAt }
    const command = new PutCommand({
      TableName,
      Item: { ...playerKey(userId), ...tombstone, expiresAt: forgottenAt + tombstoneSeconds },
      ...condition,
      ReturnValues: 'ALL_OLD',
    })
    const replaced = await unlessConditionFails(client.send(command))
    if (!replaced) return undefined
    const { Attributes } = replaced
    return {
      wasStored: Attributes?.['username'] !== undefined,
      wallets: [...new Set([...wallets, ...walletsIn(Attributes)])],
    }
  }

  /** Takes a wallet from the player: another generation of it is another user. */
  async function free(wallet: Wallet, userId: number): Promise<void> {
    await updateItem(table, walletOwnerKey(wallet), {
      add: { generation: 1 },
      // Without `change`, a repeated change of before is refused.
      remove: ['userId', 'isJoining', 'change'],
      conditions: [['userId', '=', userId]],
    })
  }

  /** Removes the wallets from the tombstone, unless the player has signed in again. */
  async function forgetWallets(userId: number): Promise<void> {
    await updateItem(table, playerKey(userId), {
      remove: ['wallets'],
      conditions: [
        ['forgottenAt', 'exists'],
        ['username', 'absent'],
      ],
    })
  }

  /** Deletes the subject of an assigned id (D41): its digest last, because it leads to the other item. */
  async function forgetSubject(userId: number): Promise<void> {
    const item = await getItem(table, subjectKey(userId))
    if (!item) return
    const conditions = [['userId', '=', userId]] as const
    await deleteItem(table, userKey(v.parse(subjectItem, item).user), { conditions })
    await deleteItem(table, subjectKey(userId))
  }
}
