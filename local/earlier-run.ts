import { awsClient } from '../lib/adapters/aws/aws-client.ts'
import { deleteAll } from '../lib/adapters/dynamodb/batches.ts'
import { updateItem } from '../lib/adapters/dynamodb/item-writes.ts'
import { followKey } from '../lib/adapters/dynamodb/keys/follow-partition.ts'
import {
  careKey,
  keptAddressFromKey,
  keptContractsOf,
  snapshotAttemptKey,
} from '../lib/adapters/dynamodb/keys/kept-partitions.ts'
import { keysOf } from '../lib/adapters/dynamodb/keys/key.ts'
import { itemsUnder } from '../lib/adapters/dynamodb/prefix-reads.ts'
import { dynamodb, type Table } from '../lib/adapters/dynamodb/table.ts'
import { isChain } from '../lib/domain/nft/chain.ts'
import type { AwsAccess } from './aws/aws-access.ts'
import { followedChains, hasSampleIndexer, type LocalSettings } from './settings.ts'

/**
 * Forgets the contracts that are kept of the sample world (D152), which begins anew with each start: otherwise they would be asked for
 * until a day after their last snapshot. The worker deletes their lists. Only for a table that no other process uses.
 */
export async function forgetKept(
  settings: LocalSettings,
  aws: AwsAccess,
  name: string,
): Promise<void> {
  if (!hasSampleIndexer(settings)) return
  const table = tableOf(aws, name)
  for (const chain of followedChains(settings).filter(isChain)) {
    const kept = keysOf(await itemsUnder(table, keptContractsOf(chain), 'pk, sk'))
    const ofContract = (sk: string) => [
      snapshotAttemptKey({ chain, address: keptAddressFromKey(sk) }),
      careKey({ chain, address: keptAddressFromKey(sk) }),
    ]
    await deleteAll(
      table,
      kept.flatMap((key) => [...ofContract(key.sk), key]),
    )
  }
}

/**
 * Ends the leases of followers that were killed with their stack, so that the next ones follow at once (D86). Only for a
 * table that no other process uses.
 */
export async function endLeases(
  settings: LocalSettings,
  aws: AwsAccess,
  name: string,
): Promise<void> {
  const table = tableOf(aws, name)
  const remove = ['holder', 'leasedUntil']
  // Without the condition, the update would make an item.
  const conditions = [['leasedUntil', 'exists']] as const
  for (const chain of followedChains(settings).filter(isChain))
    await updateItem(table, followKey(chain), { remove, conditions })
}

const tableOf = (aws: AwsAccess, name: string): Table => ({
  ...{ client: awsClient(dynamodb, aws), name, requestsAtOnce: 1 },
})
