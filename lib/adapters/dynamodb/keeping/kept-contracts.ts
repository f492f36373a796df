import * as v from 'valibot'
import type { KeptEvent } from '../../../domain/holdings/kept-event.ts'
import type { ContractKey } from '../../../domain/nft/nft.ts'
import type { SettledDigests } from '../../../domain/ports/follow-notes.ts'
import type { KeptContracts } from '../../../domain/ports/kept-contracts.ts'
import { inParallel, itemsByKey } from '../batches.ts'
import { readItem } from '../item-reads.ts'
import { deleteItem, putItem } from '../item-writes.ts'
import {
  keptContractKey,
  keptContractsOf,
  keptLogBetween,
  keptLogKey,
  keptLogPlaceFromKey,
  listHeadKey,
  settledDigestFromKey,
  settledDigestKey,
  settledDigestsBetween,
} from '../keys/kept-partitions.ts'
import { keyText } from '../keys/key.ts'
import { itemsUnder, pagesUnder } from '../prefix-reads.ts'
import type { Table } from '../table.ts'
import {
  contractItemOf,
  contractToReplace,
  movedForm,
  movedText,
  walletForm,
} from './kept-contract-item.ts'
import { changeList } from './kept-list-change.ts'
import { listsWith, type ReadList } from './kept-list-reads.ts'
import { putHolders } from './snapshot-lists.ts'

const logSeconds = 3 * 86_400

const logItem = v.object({
  sk: v.pipe(v.string(), v.regex(/^\d{16}#\d{8}$/)),
  hash: v.string(),
  from: walletForm,
  to: walletForm,
  moved: movedForm,
})

export function dynamoKeptContracts(table: Table): KeptContracts {
  const { requestsAtOnce } = table
  return {
    async contracts(chain) {
      const items = await itemsUnder(table, keptContractsOf(chain))
      return items.flatMap((item) => contractToReplace(item) ?? [])
    },

    async contract(key) {
      return contractToReplace(await readItem(table, keptContractKey(key)))
    },

    remove: (chain, { address, version }) =>
      deleteItem(table, keptContractKey({ chain, address }), {
        conditions: [['version', '=', version]],
      }),

    async write(chain, contract) {
      const item = contractItemOf(chain, contract)
      const before = contract.version - 1
      return await putItem(table, item, {
        conditions: [before === 0 ? ['pk', 'absent'] : ['version', '=', before]],
        or: ['digest', '=', item.digest],
      })
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
        await putItem(table, keptLogItem(contract, event, Date.now()))
      }),

    async *logged(contract, blocks) {
      if (blocks.after >= blocks.upTo) return
      const pages = pagesUnder(table, keptLogBetween(contract, blocks))
      for await (const items of pages) yield* items.map(keptLogEvent)
    },
  }
}

const keptLogItem = (contract: ContractKey, event: KeptEvent, now: number) => ({
  ...keptLogKey(contract, event),
  hash: event.hash,
  from: event.from,
  to: event.to,
  moved: movedText(event.moved),
  expiresAt: Math.ceil(now / 1_000) + logSeconds,
})

/** The event in an item. Throws if it is damaged: a snapshot that lacks an event would be wrong. */
function keptLogEvent(item: unknown): KeptEvent {
  const { sk, ...event } = v.parse(logItem, item)
  return { ...keptLogPlaceFromKey(sk), ...event }
}

const digestSeconds = 86_400

const digestItem = v.object({
  sk: v.pipe(v.string(), v.regex(/^\d{16}#\d{16}#[0-9a-f]+$/)),
  count: v.number(),
})

export function dynamoSettledDigests(table: Table): SettledDigests {
  return {
    async add(contract, { count, ...settled }) {
      const expiresAt = Math.ceil(Date.now() / 1_000) + digestSeconds
      await putItem(table, { ...settledDigestKey(contract, settled), count, expiresAt })
    },

    async read(contract, blocks) {
      if (blocks.after >= blocks.upTo) return []
      const items = await itemsUnder(table, settledDigestsBetween(contract, blocks))
      return items.flatMap((item) => {
        const { success, output } = v.safeParse(digestItem, item)
        // Without it, what the source tells of the blocks differs, and the snapshot ends: nobody is told wrong holdings.
        return success ? [{ ...settledDigestFromKey(output.sk), count: output.count }] : []
      })
    },
  }
}
