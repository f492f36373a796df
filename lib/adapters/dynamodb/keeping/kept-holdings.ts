import * as v from 'valibot'
import type { Address } from '../../../domain/nft/address.ts'
import type { Chain } from '../../../domain/nft/chain.ts'
import {
  everyToken,
  type KeptHoldings,
  type KeptPosition,
  type ReadContract,
  type Timed,
} from '../../../domain/ports/kept-contracts.ts'
import { downstreamCalls } from '../../../observability/downstream-calls.ts'
import { recentlyUsed } from '../../recently-used.ts'
import { readItem, readItemOnce } from '../item-reads.ts'
import { updateItem } from '../item-writes.ts'
import { readersKey } from '../keys/follow-partition.ts'
import { keptContractKey, listHeadsOf, snapshotFromKey } from '../keys/kept-partitions.ts'
import { keyText } from '../keys/key.ts'
import { itemsUnder } from '../prefix-reads.ts'
import type { Table } from '../table.ts'
import { contractIn } from './kept-contract-item.ts'
import { recentLists } from './recent-lists.ts'

/** How long a container uses what it has read, in milliseconds. */
const useMilliseconds = 1_000

const readersItem = v.object({
  step: v.number(),
  confirmedUpTo: v.number(),
  askedAt: v.exactOptional(v.number()),
})

/** What readers read of kept contracts from the table. A position that cannot be read at once is none. */
export function dynamoKeptHoldings(table: Table): KeptHoldings {
  const positions = new Map<Chain, ReadPosition>()
  const known = recentlyUsed<string, Timed<ReadContract | undefined>>(200)
  const readLists = recentLists(table)
  const noteRead = chainReads(table)

  async function contract(chain: Chain, address: Address, since: number) {
    const key = keptContractKey({ chain, address })
    const before = known.get(keyText(key))
    if (before && before.readAt >= since && isYoung(before.readAt)) return before
    const readAt = Date.now()
    // Also that there is none: all that are asked for are in one partition.
    const read = { value: readContractIn(await readItem(table, key)), readAt }
    known.set(keyText(key), read)
    return read
  }

  return {
    async position(chain, isAnew) {
      const before = positions.get(chain)
      if (before && !isAnew && isYoung(before.position.readBy)) return before.position
      const read = await readPosition(table, chain)
      if (read) positions.set(chain, read)
      else positions.delete(chain)
      return read?.position
    },

    async contracts(chain, addresses, since) {
      const read = positions.get(chain)
      if (read) noteRead(chain, read.askedAt)
      const found = addresses.map((address) => contract(chain, address, since))
      return (await Promise.all(found)).flatMap(({ value, readAt }) =>
        value ? [{ value, readAt }] : [],
      )
    },

    async lists(chain, wallet, snapshots) {
      const [items, ids] = await Promise.all([
        itemsUnder(table, listHeadsOf(chain, wallet)),
        snapshots,
      ])
      const heads = items.flatMap((item) => {
        const { address, id } = snapshotFromKey(`${item['sk']}`)
        // Everybody can mint to a wallet, so that it has lists of contracts that nobody has asked for.
        if (ids.get(address) !== id) return []
        return [{ list: { snapshot: { chain, address, id }, wallet }, item, wanted: [everyToken] }]
      })
      return new Map(
        (await readLists(heads)).map(([{ snapshot }, list]) => [snapshot.address, list]),
      )
    },
  }
}

const isYoung = (at: number): boolean => Date.now() - at <= useMilliseconds

/** A position, and the latest read of its chain that was noted. */
interface ReadPosition {
  position: KeptPosition
  askedAt: number | undefined
}

async function readPosition(table: Table, chain: Chain): Promise<ReadPosition | undefined> {
  const item = await readItemOnce(table, readersKey(chain))
  const { success, output } = v.safeParse(readersItem, item)
  if (!success) return undefined
  const { askedAt, ...position } = output
  return { position: { ...position, readBy: Date.now() }, askedAt }
}

function readContractIn(item: unknown): ReadContract | undefined {
  const contract = contractIn(item)
  if (!contract) return undefined
  const { address, snapshot, events, readUpTo, changed, log, ended } = contract
  return { address, snapshot, events, readUpTo, changed, log, ended }
}

/** The time in which a read of a chain is not noted again, in milliseconds. */
const notedMilliseconds = 60_000

/**
 * Returns a function that notes beside the request that a chain is read, by which the follower polls it (D152): in the
 * item that the readers of the chain share, and only if no read of the last minute was noted. `readAt`: when the latest
 * read was that is noted.
 */
function chainReads(table: Table): (chain: Chain, readAt?: number) => void {
  const noted = new Map<Chain, number>()
  return (chain, readAt = 0) => {
    const now = Date.now()
    const latest = now - notedMilliseconds
    if (Math.max(readAt, noted.get(chain) ?? 0) > latest) return
    noted.set(chain, now)
    const update = {
      set: { askedAt: now },
      conditions: [
        ['askedAt', 'absent or <=', latest],
        // An item that was deleted meanwhile does not come back as one without an end.
        ['step', '>', -1],
      ],
    } as const
    downstreamCalls.beside(updateItem(table, readersKey(chain), update))
  }
}
