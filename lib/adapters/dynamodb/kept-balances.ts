import * as v from 'valibot'
import type { Address } from '../../domain/nft/address.ts'
import type { ContractKey } from '../../domain/nft/nft.ts'
import type { KeptBalance, KeptBalances, OwnedBalance } from '../../domain/ports/kept-balances.ts'
import { maxClockDifference } from '../../domain/time-budget.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { singleAttempt } from '../aws/aws-command.ts'
import { brandedText } from '../branded-text.ts'
import { BatchWriteCommand } from './commands.ts'
import { readItemsOnce } from './item-reads.ts'
import { keptBalanceKey } from './keys/wallet-partition.ts'
import type { Table } from './table.ts'

/** The time for which a balance is kept, in seconds: longer than any rule permits its use (D156). */
const retentionSeconds = 25 * 3_600

const balanceItem = v.object({
  owner: brandedText<Address>(),
  units: v.pipe(v.string(), v.regex(/^\d{1,78}$/)),
  readAt: v.number(),
})

/**
 * The kept balances in the table, in the partition of their wallet. Reads and writes are sent once, and writes run
 * beside the request. DynamoDB's TTL deletes the balances.
 */
export function dynamoKeptBalances(
  table: Table,
  { rememberSeconds }: { rememberSeconds: number },
): KeptBalances {
  const isOn = rememberSeconds > 0
  return {
    rememberSeconds,

    async find(token, owners) {
      if (!isOn || owners.length === 0) return new Map()
      const keys = owners.map((owner) => keptBalanceKey(owner, token))
      const { items } = await readItemsOnce(table, keys)
      return new Map(items.flatMap(balancesIn))
    },

    keep(token, balances) {
      if (isOn) downstreamCalls.beside(store(table, token, balances))
    },
  }
}

function balancesIn(item: Record<string, unknown>): [Address, KeptBalance][] {
  const { success, output } = v.safeParse(balanceItem, item)
  // A time in the future would make the balance look fresh for long.
  if (!success || output.readAt > Date.now() + maxClockDifference) return []
  return [[output.owner, { units: BigInt(output.units), readAt: output.readAt }]]
}

async function store(
  { client, name }: Table,
  token: ContractKey,
  balances: readonly OwnedBalance[],
): Promise<void> {
  const puts = balances.map(({ owner, units, readAt }) => ({
    PutRequest: {
      Item: {
        ...keptBalanceKey(owner, token),
        owner,
        units: units.toString(),
        readAt,
        expiresAt: Math.floor(readAt / 1_000) + retentionSeconds,
      },
    },
  }))
  // A player has at most 20 wallets, and a batch 25 items. What is not processed is not kept.
  await client.send(singleAttempt(new BatchWriteCommand({ RequestItems: { [name]: puts } })))
}
