import type { Address } from '../../lib/domain/nft/address.ts'
import type {
  ContractChoice,
  ContractUse,
  ContractUses,
  NotedReads,
} from '../../lib/domain/ports/contract-use.ts'
import type { KeptHoldings } from '../../lib/domain/ports/kept-contracts.ts'
import {
  emptyTable,
  type FollowedTable,
  memoryFollowNotes,
} from '../../simulation/followed-table.ts'
import {
  emptyKeptTable,
  type KeptTable,
  listAt,
  memoryAttempts,
  memoryDigests,
  memoryKeptContracts,
  memoryKeptHoldings,
  memorySnapshotLists,
} from '../../simulation/kept-table.ts'
import { memoryCares } from '../../simulation/memory-cares.ts'
import { emptyMetadataTable, memoryTokenMetadata } from '../../simulation/memory-metadata.ts'

/** Ports in memory wait for nothing. */
const atOnce = async () => undefined

/** The time for which a container does not note again that a chain is read, in milliseconds. */
const askedMilliseconds = 60_000

/** The table of a simulated day, by its ports. */
export function dayTable(now: () => number) {
  const [followed, kept] = [emptyTable(), emptyKeptTable()]
  return {
    ...dayUses(now),
    followNotes: memoryFollowNotes(followed, now, atOnce),
    keptContracts: memoryKeptContracts(kept, atOnce),
    attempts: memoryAttempts(kept, atOnce),
    snapshotLists: memorySnapshotLists(kept, atOnce),
    contractCares: memoryCares(),
    settledDigests: memoryDigests(),
    tokenMetadata: memoryTokenMetadata(emptyMetadataTable(), atOnce),
    keptHoldings: keptHoldings({ followed, kept }, now),
  }
}

/** What a container reads. It notes that it does. Of the many lists, only those of the wallet are looked at. */
function keptHoldings(
  tables: { followed: FollowedTable; kept: KeptTable },
  now: () => number,
): KeptHoldings {
  const holdings = memoryKeptHoldings(tables, now, atOnce)
  return {
    ...holdings,
    async contracts(chain, ...args) {
      const shown = tables.followed.readers.get(chain)
      if (shown && now() - (shown.askedAt ?? 0) >= askedMilliseconds) {
        tables.followed.readers.set(chain, { ...shown, askedAt: now() })
      }
      return await holdings.contracts(chain, ...args)
    },
    async lists(_, wallet, snapshots) {
      const found = [...(await snapshots)].flatMap(([address, id]) => {
        const list = tables.kept.lists.get(listAt({ address, id }, wallet))
        return list ? [[address, { ...list, tokens: new Map(list.tokens) }] as const] : []
      })
      return new Map(found)
    },
  }
}

/** The reads with which a contract begins to be kept. */
const keptFromReads = 10

/** The wallets of reads that the worker knows. */
const knownWallets = 25

/** The reads of contracts of one chain, in memory: each is noted at once. */
function dayUses(now: () => number): { notedReads: NotedReads; contractUses: ContractUses } {
  const uses = new Map<Address, ContractUse>()
  const wanted = new Set<Address>()
  let choice: ContractChoice = { lookFrom: 0, isFull: false, swapFrom: 0 }
  return {
    notedReads: {
      note(reads) {
        for (const { contract, productId, wallet, isUnknown } of reads) {
          const { reads: before = 0, wallets = [] } = uses.get(contract.address) ?? {}
          const latest = [wallet, ...wallets.slice(0, knownWallets - 1)]
          const use = { readAt: now(), reads: before + 1, productId, wallets: latest }
          uses.set(contract.address, use)
          if (isUnknown && use.reads >= keptFromReads) wanted.add(contract.address)
        }
      },
    },
    contractUses: {
      wanted: async () => [...wanted],
      settleWanted: async ({ address }) => void wanted.delete(address),
      of: async ({ address }) => uses.get(address),
      choice: async () => choice,
      async noteChoice(next, before) {
        if (choice.lookFrom > before.lookFrom || choice.swapFrom > before.swapFrom) return false
        choice = next
        return true
      },
    },
  }
}
