import { ServiceUnavailable, unlessUnavailable } from '../failures.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type {
  KeptHoldings,
  KeptPosition,
  ReadContract,
  SnapshotNames,
  Timed,
  WalletLists,
} from '../ports/kept-contracts.ts'
import { maxFollowerLagSeconds } from '../reading/freshness.ts'
import { type Deadline, lastStartMilliseconds } from '../time-budget.ts'
import { heldBy } from './held-by.ts'
import type { Holdings } from './holdings.ts'
import { isOver } from './kept-contract.ts'

/** The longest time from the first to the last read of lists and contracts, in milliseconds: shorter than items keep settled events. */
const longestRead = 3_000

/** How often a read that took too long is tried. */
const maxTries = 3

/** What is known of contracts, by address. A contract that is not in it is unknown. */
type KnownContracts = ReadonlyMap<Address, ReadContract>

export interface HeldAnswer {
  /** What each wallet holds of each contract that is kept; a contract that is not in it is asked for. */
  contracts: ReadonlyMap<Address, ReadonlyMap<Address, Holdings>>
  /** The moment of which it speaks, in milliseconds since 1970; absent if no contract is kept. */
  moment?: number | undefined
  /** What is known of all of the contracts; `undefined` if that cannot be read. Never rejects. */
  known: Promise<KnownContracts | undefined>
}

export interface HoldingsQuery {
  chain: Chain
  wallets: readonly Address[]
  contracts: readonly Address[]
  position?: Promise<KeptPosition | undefined> | undefined
  /** The age of the confirmed block with which holdings count, in seconds. */
  maxAgeSeconds?: number | undefined
  /** The deadline of the request: no try but the first begins so late that no time is left to ask the indexer. */
  deadline?: Deadline | undefined
  /** Whether the indexer cannot be asked in place of a table that is unavailable, because a list goes on in what is kept. */
  isNeeded?: boolean | undefined
}

/**
 * Reads what wallets hold of contracts from what is kept of them: the lists, and the events that are not in them. A contract of which this
 * is not known for all of the wallets is left out, and all are if the table is unavailable. If they are needed, throws ServiceUnavailable then.
 */
export async function readHoldings(
  query: HoldingsQuery,
  keptHoldings: KeptHoldings,
  clock: () => number = Date.now,
): Promise<HeldAnswer> {
  const { chain, wallets, contracts, maxAgeSeconds = maxFollowerLagSeconds, isNeeded } = query
  const begun = query.position ?? keptHoldings.position(chain, false)
  let items: Promise<Timed<ReadContract>[]> | undefined
  let isUndecided = false
  for (let tries = 0; mayTry(tries, query, clock()); tries += 1) {
    const position = await (tries === 0 ? begun : keptHoldings.position(chain, true))
    isUndecided = false
    if (!position || clock() - position.confirmedUpTo > maxAgeSeconds * 1_000) break
    const startedAt = clock()
    items = keptHoldings.contracts(chain, contracts, position.readBy)
    const all = await readWith(items, query, keptHoldings)
    if (!all) break
    isUndecided = true
    const [read, ...lists] = all
    const since = Math.min(startedAt, ...read.map(({ readAt }) => readAt))
    if (clock() - since > longestRead) continue
    const ofWallets = new Map(wallets.map((wallet, index) => [wallet, lists[index] ?? new Map()]))
    const isLast = tries === maxTries - 1
    const answer = answerOf(read, ofWallets, { position, isLast, now: clock() })
    if (answer) return { ...answer, known: Promise.resolve(knownOf(read)) }
  }
  if (isNeeded && isUndecided) throw new ServiceUnavailable('DynamoDB: holdings took too long')
  // The indexer is asked meanwhile.
  items ??= keptHoldings.contracts(chain, contracts, 0)
  return { contracts: new Map(), known: items.then(knownOf).catch(() => undefined) }
}

/** Whether a read is tried, once more if it was tried before. */
const mayTry = (tries: number, { deadline }: HoldingsQuery, now: number): boolean =>
  tries === 0 ||
  (tries < maxTries && !(deadline !== undefined && now >= deadline - lastStartMilliseconds))

/**
 * What is known of contracts, and the lists of each wallet. `undefined`: the table is overloaded, and the indexer can
 * be asked.
 */
async function readWith(
  items: Promise<Timed<ReadContract>[]>,
  { chain, wallets, isNeeded }: HoldingsQuery,
  keptHoldings: KeptHoldings,
) {
  const snapshots = items.then(snapshotsOf)
  const reading = Promise.all([
    items,
    ...wallets.map((wallet) => keptHoldings.lists(chain, wallet, snapshots)),
  ])
  return await (isNeeded ? reading : reading.catch(unlessUnavailable))
}

const knownOf = (items: readonly Timed<ReadContract>[]): KnownContracts =>
  new Map(items.map(({ value }) => [value.address, value]))

const snapshotsOf = (items: readonly Timed<ReadContract>[]): SnapshotNames =>
  new Map(
    items.flatMap(({ value: { address, snapshot } }) => (snapshot ? [[address, snapshot.id]] : [])),
  )

/** What items and lists say together; `undefined` if some do not fit each other, unless this try is the last one. */
function answerOf(
  items: readonly Timed<ReadContract>[],
  lists: ReadonlyMap<Address, WalletLists>,
  { position, isLast, now }: { position: KeptPosition; isLast: boolean; now: number },
): Omit<HeldAnswer, 'known'> | undefined {
  const answer = new Map<Address, ReadonlyMap<Address, Holdings>>()
  for (const { value: item } of items) {
    const { snapshot } = item
    if (!snapshot || snapshot.step > position.step || isOver(snapshot, now)) continue
    const found = [...lists].map(([wallet, its]) => [wallet, its.get(item.address)] as const)
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
  return { contracts: answer, ...(answer.size > 0 && { moment: position.confirmedUpTo }) }
}
