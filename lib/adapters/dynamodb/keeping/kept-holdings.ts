import * as v from 'valibot'
import { largestTokenId, tokenIdOf } from '../../../domain/allowlist/token-id.ts'
import type { SnapshotId } from '../../../domain/holdings/kept-contract.ts'
import type { Address } from '../../../domain/nft/address.ts'
import type { Chain } from '../../../domain/nft/chain.ts'
import type { KeptList, TokenIds } from '../../../domain/ports/kept-contracts.ts'
import type {
  KeptHoldings,
  KeptPosition,
  ReadContract,
  Timed,
} from '../../../domain/ports/kept-holdings.ts'
import { recentlyUsed } from '../../recently-used.ts'
import { readItem, readItemOnce } from '../item-reads.ts'
import { followKey } from '../keys/follow-partition.ts'
import { keptContractKey, listHeadsOf, snapshotFromHeadKey } from '../keys/kept-partitions.ts'
import { keyText } from '../keys/key.ts'
import { itemsUnder } from '../prefix-reads.ts'
import type { Table } from '../table.ts'
import { contractIn } from './kept-contract-item.ts'
import { listsWith } from './kept-list-reads.ts'

/** What is wanted of a list that is read whole. */
export const everyToken: TokenIds = {
  fromTokenId: tokenIdOf(0n),
  toTokenId: tokenIdOf(largestTokenId),
}

/** How long a container uses what it has read, in milliseconds. */
const useMilliseconds = 1_000

/** The most contracts that a container holds in memory. */
const maxContracts = 200

/**
 * How far a chain is read: the part that readers of kept contracts need. Only a follower that keeps holdings writes how far events may
 * settle, with its step.
 */
const positionItem = v.object({
  step: v.number(),
  confirmedUpTo: v.number(),
  settling: v.object({ step: v.number() }),
})

/** What readers of kept contracts read from the table. A position that cannot be read at once is none. */
export function dynamoKeptHoldings(table: Table): KeptHoldings {
  const positions = new Map<Chain, KeptPosition>()
  const known = recentlyUsed<string, Timed<ReadContract>>(maxContracts)

  async function contract(chain: Chain, address: Address, since: number) {
    const key = keptContractKey({ chain, address })
    const before = known.get(keyText(key))
    if (before && before.readAt >= since && isYoung(before.readAt)) return before
    const readAt = Date.now()
    const value = readContractIn(await readItem(table, key))
    if (!value) return undefined
    const read = { value, readAt }
    known.set(keyText(key), read)
    return read
  }

  return {
    async position(chain, isAnew) {
      const before = positions.get(chain)
      if (before && !isAnew && isYoung(before.readBy)) return before
      const position = await readPosition(table, chain)
      if (position) positions.set(chain, position)
      else positions.delete(chain)
      return position
    },

    async contracts(chain, addresses, since) {
      const found = addresses.map((address) => contract(chain, address, since))
      return (await Promise.all(found)).filter((each) => each !== undefined)
    },

    async lists(chain, wallet, addresses) {
      const lists = new Map(addresses.map((address) => [address, new Map<SnapshotId, KeptList>()]))
      const items = await itemsUnder(table, listHeadsOf(chain, wallet))
      const heads = items.flatMap((item) => {
        const { address, id } = snapshotFromHeadKey(`${item['sk']}`)
        // Everybody can mint to a wallet, so that it has lists of contracts that nobody has asked for.
        if (!lists.has(address)) return []
        return [{ list: { snapshot: { chain, address, id }, wallet }, item, wanted: [everyToken] }]
      })
      for (const [{ snapshot }, list] of await listsWith(table, heads)) {
        const { settledUpTo, tokens, isTooLong } = list
        lists.get(snapshot.address)?.set(snapshot.id, { settledUpTo, tokens, isTooLong })
      }
      return lists
    },
  }
}

const isYoung = (at: number): boolean => Date.now() - at <= useMilliseconds

async function readPosition(table: Table, chain: Chain): Promise<KeptPosition | undefined> {
  const item = await readItemOnce(table, followKey(chain))
  const { success, output } = v.safeParse(positionItem, item)
  // A release that keeps nothing moves the position, and leaves the rest as it was.
  if (!success || output.settling.step !== output.step) return undefined
  const { step, confirmedUpTo } = output
  return { step, confirmedUpTo, readBy: Date.now() }
}

function readContractIn(item: unknown): ReadContract | undefined {
  const contract = contractIn(item)
  if (!contract) return undefined
  const { address, snapshot, events, readUpTo } = contract
  return { address, snapshot, events, readUpTo }
}
