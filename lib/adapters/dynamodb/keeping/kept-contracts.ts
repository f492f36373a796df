import type { KeptContracts } from '../../../domain/ports/kept-contracts.ts'
import { inParallel } from '../batches.ts'
import { DeleteCommand, PutCommand, paginateQuery } from '../commands.ts'
import { conditionalPut } from '../conditional-put.ts'
import { unlessConditionFails } from '../conditional-write.ts'
import { readItem } from '../item-reads.ts'
import {
  keptContractKey,
  keptContractsOf,
  keptLogBetween,
  listHeadKey,
} from '../keys/kept-partitions.ts'
import { keyText } from '../keys/key.ts'
import { itemsUnder } from '../prefix-reads.ts'
import type { Table } from '../table.ts'
import { contractItemOf, contractToReplace } from './kept-contract-item.ts'
import { changeList } from './kept-list-change.ts'
import { itemsByKey, listsWith, type ReadList } from './kept-list-reads.ts'
import { keptLogEvent, keptLogItem } from './kept-log-items.ts'
import { putHolders } from './snapshot-holders.ts'

/** What is kept of contracts and their holders, in the table. */
export function dynamoKeptContracts(table: Table): KeptContracts {
  const { client, name: TableName, requestsAtOnce } = table
  return {
    async contracts(chain) {
      const items = await itemsUnder(table, keptContractsOf(chain))
      return items.flatMap((item) => contractToReplace(item) ?? [])
    },

    async contract(key) {
      return contractToReplace(await readItem(table, keptContractKey(key)))
    },

    async remove(chain, { address, version }) {
      const command = new DeleteCommand({
        ...{ TableName, Key: keptContractKey({ chain, address }) },
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': version },
      })
      return (await unlessConditionFails(client.send(command))) !== undefined
    },

    async write(chain, contract) {
      const item = contractItemOf(chain, contract)
      const before = contract.version - 1
      const replaced = before === 0 ? undefined : { attributes: { version: before } }
      return await conditionalPut(table, item, replaced, ['digest', item.digest])
    },

    async lists(snapshot, wanted) {
      const keys = [...wanted.keys()].map((wallet) => listHeadKey({ snapshot, wallet }))
      const items = await itemsByKey(table, keys)
      const heads = [...wanted].flatMap(([wallet, tokenIds]) => {
        const list = { snapshot, wallet }
        const item = items.get(keyText(listHeadKey(list)))
        return item ? [{ list, item, wanted: tokenIds }] : []
      })
      const lists = await listsWith(table, heads)
      return new Map([...lists].map(([{ wallet }, list]) => [wallet, list]))
    },

    noteHolders: (snapshot, wallets) => putHolders(table, snapshot, wallets),

    // Every list that a caller has is one that this adapter has read.
    change: (snapshot, wallet, from, change) =>
      changeList(table, { snapshot, wallet }, from as ReadList | undefined, change),

    log: (contract, events) =>
      inParallel(events, requestsAtOnce, async (event) => {
        const Item = keptLogItem(contract, event, Date.now())
        await client.send(new PutCommand({ TableName, Item }))
      }),

    async *logged(contract, blocks) {
      if (blocks.after >= blocks.upTo) return
      const { pk, first, end } = keptLogBetween(contract, blocks)
      const pages = paginateQuery(table, {
        TableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :end',
        ExpressionAttributeValues: { ':pk': pk, ':first': first, ':end': end },
        ConsistentRead: true,
      })
      for await (const { Items = [] } of pages) yield* Items.map(keptLogEvent)
    },
  }
}
