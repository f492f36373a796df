import type { TokenId } from '../allowlist/token-id.ts'
import { amountsOf, applyEvents, countOf, type Holdings, maxListed } from '../holdings/holdings.ts'
import type { KeptEvent, Moved } from '../holdings/kept-event.ts'
import type { Address } from '../nft/address.ts'
import type { NftStandard } from '../nft/nft.ts'
import type {
  KeptContracts,
  KeptList,
  ListChange,
  SnapshotKey,
  TokenIds,
} from '../ports/kept-contracts.ts'
import { someAtOnce } from '../some-at-once.ts'

/** How many lists are written at once. */
export const listsAtOnce = 32

/**
 * Brings the lists of touched wallets up to a block, once and only if they are as they were read. A block never goes
 * back. `false`: another follower was faster. Throws ServiceUnavailable.
 */
export async function settleLists(
  snapshot: SnapshotKey & { standard: NftStandard },
  events: readonly KeptEvent[],
  upTo: number,
  keptContracts: Pick<KeptContracts, 'lists' | 'noteHolders' | 'change'>,
): Promise<boolean> {
  const ofWallet = eventsByWallet(events)
  const wanted = new Map([...ofWallet].map(([wallet, its]) => [wallet, tokenIdsOf(its)]))
  const lists = await keptContracts.lists(snapshot, wanted)
  const changes = [...ofWallet].flatMap(([wallet, its]) => {
    const from = lists.get(wallet)
    if (from && from.settledUpTo >= upTo) return []
    return [{ wallet, from, change: listChange(from, wallet, its, snapshot.standard, upTo) }]
  })
  const without = changes.flatMap(({ wallet, from }) => (from ? [] : [wallet]))
  if (without.length > 0) await keptContracts.noteHolders(snapshot, without)
  const writes = await someAtOnce(changes, listsAtOnce, ({ wallet, from, change }) =>
    keptContracts.change(snapshot, wallet, from, change),
  )
  return writes.every((isSaved) => isSaved)
}

function eventsByWallet(events: readonly KeptEvent[]): Map<Address, KeptEvent[]> {
  const ofWallet = new Map<Address, KeptEvent[]>()
  for (const event of events) {
    for (const wallet of new Set([event.from, event.to])) {
      if (wallet === null) continue
      const its = ofWallet.get(wallet) ?? []
      ofWallet.set(wallet, its)
      its.push(event)
    }
  }
  return ofWallet
}

const tokenIdsOf = (events: readonly KeptEvent[]): TokenIds[] =>
  events.flatMap(({ moved }) => moved.map(rangeOf))

const rangeOf = (moved: Moved): TokenIds =>
  'tokenId' in moved ? { fromTokenId: moved.tokenId, toTokenId: moved.tokenId } : moved

function listChange(
  from: KeptList | undefined,
  wallet: Address,
  events: readonly KeptEvent[],
  standard: NftStandard,
  upTo: number,
): ListChange {
  const later = events.filter(({ block }) => block > (from?.settledUpTo ?? -1))
  if (from?.isTooLong || countOf(later) > maxListed) {
    return { settledUpTo: upTo, balances: new Map(), isTooLong: true }
  }
  const after: Holdings = new Map(from?.tokens)
  applyEvents(after, wallet, later, standard)
  const touched = later.flatMap(({ moved }) => moved.flatMap((each) => [...amountsOf(each)]))
  const balances = new Map<TokenId, bigint>(
    touched.map(([tokenId]) => [tokenId, after.get(tokenId) ?? 0n]),
  )
  return { settledUpTo: upTo, balances }
}
