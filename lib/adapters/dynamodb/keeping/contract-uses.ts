import * as v from 'valibot'
import type { Address } from '../../../domain/nft/address.ts'
import type { ContractUse, ContractUses } from '../../../domain/ports/contract-use.ts'
import type { ProductId } from '../../../domain/product/product.ts'
import { dayOf } from '../../../domain/usage/usage.ts'
import { brandedText } from '../../branded-text.ts'
import { readItem } from '../item-reads.ts'
import { deleteItem, updateItem } from '../item-writes.ts'
import {
  contractChoiceKey,
  contractUsesBetween,
  keptAddressFromKey,
  wantedContractKey,
  wantedContractsOf,
} from '../keys/kept-partitions.ts'
import { itemsUnder } from '../prefix-reads.ts'
import type { Table } from '../table.ts'

/** How long a contract is in use after a read, in milliseconds. */
const usedMilliseconds = 7 * 86_400_000

const useItem = v.objectWithRest(
  { readAt: v.number(), reads: v.number(), productId: brandedText<ProductId>() },
  v.unknown(),
)

const choiceItem = v.fallback(
  v.object({ lookFrom: v.number(), isFull: v.boolean(), swapFrom: v.number() }),
  { lookFrom: 0, isFull: false, swapFrom: 0 },
)

/** The reads of contracts that containers have written, and what the worker knows of its choice, in the table. */
export function dynamoContractUses(table: Table): ContractUses {
  return {
    async wanted(chain) {
      const items = await itemsUnder(table, wantedContractsOf(chain))
      return items.map(({ sk }) => keptAddressFromKey(`${sk}`))
    },

    async settleWanted(contract) {
      await deleteItem(table, wantedContractKey(contract))
    },

    async of(contract) {
      const now = Date.now()
      const since = now - usedMilliseconds
      const items = await itemsUnder(table, contractUsesBetween(contract, dayOf(since), dayOf(now)))
      const days = items.flatMap(usedDayIn).filter(({ readAt }) => readAt >= since)
      const [latest] = days.sort((a, b) => b.readAt - a.readAt)
      if (!latest) return undefined
      const { readAt, productId } = latest
      const reads = days.reduce((sum, day) => sum + day.reads, 0)
      const wallets = [...new Set(days.flatMap((day) => day.wallets))]
      return { readAt, reads, productId, wallets }
    },

    choice: async () => v.parse(choiceItem, await readItem(table, contractChoiceKey)),

    noteChoice: (choice, { lookFrom, swapFrom }) =>
      updateItem(table, contractChoiceKey, {
        set: { ...choice },
        conditions: [
          ['lookFrom', 'absent or <=', lookFrom],
          ['swapFrom', 'absent or <=', swapFrom],
        ],
      }),
  }
}

/** The reads of a day. A damaged item counts for nothing. */
function usedDayIn(item: unknown): ContractUse[] {
  const { success, output } = v.safeParse(useItem, item)
  if (!success) return []
  const { readAt, reads, productId, ...others } = output
  const wallets = Object.entries(others).filter(([name]) => name.startsWith('wallet'))
  return [{ readAt, reads, productId, wallets: wallets.map(([, wallet]) => wallet as Address) }]
}
