import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type {
  KeptHoldings,
  KeptPosition,
  ReadContract,
  Timed,
  WalletLists,
} from '../ports/kept-holdings.ts'
import { maxFollowerLagSeconds } from '../reading/freshness.ts'
import { heldBy } from './held-by.ts'
import type { Holdings } from './holdings.ts'

/** The longest time from the first to the last read of lists and contracts, in milliseconds: shorter than items keep settled events. */
const longestRead = 3_000

/** How often a read that took too long is tried. */
const maxTries = 3

/** What wallets hold of contracts of one chain. */
export interface HeldAnswer {
  /** What each wallet holds of each contract that is kept; a contract that is not in it is asked for. */
  contracts: ReadonlyMap<Address, ReadonlyMap<Address, Holdings>>
  /** The moment of which it speaks, in milliseconds since 1970; absent if no contract is kept. */
  moment?: number | undefined
}

/**
 * Reads what wallets hold of contracts from what is kept of them: the lists, and the events that are not in them. A contract of which this
 * is not known for all of the wallets is left out. Throws ServiceUnavailable.
 */
export async function readHoldings(
  {
    chain,
    wallets,
    contracts,
  }: {
    chain: Chain
    wallets: readonly Address[]
    contracts: readonly Address[]
  },
  keptHoldings: KeptHoldings,
  clock: () => number = Date.now,
): Promise<HeldAnswer> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const position = await keptHoldings.position(chain, tries > 0)
    if (!position || clock() - position.confirmedUpTo > maxFollowerLagSeconds * 1_000) break
    const startedAt = clock()
    const [items, lists] = await Promise.all([
      keptHoldings.contracts(chain, contracts, position.readBy),
      Promise.all(wallets.map((wallet) => keptHoldings.lists(chain, wallet, contracts))),
    ])
    const since = Math.min(startedAt, ...items.map(({ readAt }) => readAt))
    if (clock() - since > longestRead) continue
    const ofWallets = new Map(wallets.map((wallet, index) => [wallet, lists[index] ?? new Map()]))
    const isLast = tries === maxTries - 1
    const answer = answerOf(items, ofWallets, { position, isLast })
    if (answer) return answer
  }
  return { contracts: new Map() }
}

/** What items and lists say together; `undefined` if some do not fit each other, unless this try is the last one. */
function answerOf(
  items: readonly Timed<ReadContract>[],
  lists: ReadonlyMap<Address, WalletLists>,
  { position: { step, confirmedUpTo }, isLast }: { position: KeptPosition; isLast: boolean },
): HeldAnswer | undefined {
  const answer = new Map<Address, ReadonlyMap<Address, Holdings>>()
  for (const { value: item } of items) {
    const { snapshot } = item
    if (!snapshot || snapshot.step > step) continue
    const found = [...lists].map(
      ([wallet, ofWallet]) => [wallet, ofWallet.get(item.address)?.get(snapshot.id)] as const,
    )
    if (found.some(([, list]) => list && list.settledUpTo > item.readUpTo)) {
      if (!isLast) return undefined
      continue
    }
    const held = found.map(
      ([wallet, list]) => [wallet, heldBy(wallet, list, item.events, snapshot)] as const,
    )
    const known = held.flatMap(([wallet, holdings]) =>
      holdings ? [[wallet, holdings] as const] : [],
    )
    if (known.length === held.length) answer.set(item.address, new Map(known))
  }
  return { contracts: answer, ...(answer.size > 0 && { moment: confirmedUpTo }) }
}
