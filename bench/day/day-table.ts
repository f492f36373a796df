import type { ContractUses, NotedReads } from '../../lib/domain/ports/contract-use.ts'
import type { KeptHoldings } from '../../lib/domain/ports/kept-contracts.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import { listAt, memoryKeptHoldings } from '../../simulation/kept-table.ts'
import { tablePorts } from '../../simulation/table-ports.ts'
import type { DayChain } from './day-chain.ts'

export const productId = 'day' as ProductId

/** The time for which a container does not note again that a chain is read, in milliseconds. */
const askedMilliseconds = 60_000

/** The table of a simulated day, by its ports. */
export function dayTable(world: DayChain, now: () => number) {
  const ports = tablePorts(now)
  return { ...ports, ...dayUses(world, now), keptHoldings: keptHoldings(ports, now) }
}

/** What a container reads. It notes that it does. Of the many lists, only those of the wallet are looked at. */
function keptHoldings(
  tables: Pick<ReturnType<typeof tablePorts>, 'followed' | 'kept'>,
  now: () => number,
): KeptHoldings {
  const holdings = memoryKeptHoldings(tables, now, async () => undefined)
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

/** The reads of the contracts of the day: all of them are wanted, and none is let go. */
const dayUses = (
  { contracts, wallets }: Pick<DayChain, 'contracts' | 'wallets'>,
  now: () => number,
): { notedReads: NotedReads; contractUses: ContractUses } => {
  const wanted = new Set(contracts)
  return {
    notedReads: { note: () => undefined },
    contractUses: {
      wanted: async () => [...wanted],
      settleWanted: async ({ address }) => void wanted.delete(address),
      of: async () => ({ readAt: now(), reads: 1, productId, wallets: wallets.slice(0, 25) }),
      choice: async () => ({ lookFrom: Number.POSITIVE_INFINITY, isFull: false, swapFrom: 0 }),
      noteChoice: async () => true,
    },
  }
}
