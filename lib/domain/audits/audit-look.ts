import type { TokenId } from '../allowlist/token-id.ts'
import { IndexerUnavailable } from '../failures.ts'
import type { Address } from '../nft/address.ts'
import type { ChainEvents, ChainState, StateQuery } from '../ports/chain-events.ts'
import { everyToken, type KeptContracts, type TokenIds } from '../ports/kept-contracts.ts'
import type { Deadline } from '../time-budget.ts'
import { type AuditedPlace, type HeldAt, heldAt } from './held-at.ts'

/** A wallet, and a token that it holds or does not hold. */
export interface WalletToken {
  wallet: Address
  tokenId: TokenId
}

/** What is compared with the chain: how many NFTs wallets hold (ERC-721), and what they hold of single tokens. */
export interface Compared {
  wallets: readonly Address[]
  pairs: readonly WalletToken[]
}

/** What a look is about. */
interface Subjects extends Compared {
  /** ERC-721: tokens whose owners the chain names. */
  tokenIds: readonly TokenId[]
  /** ERC-1155: more pairs, from what the wallets hold by their lists. */
  pairsIn?(held: ReadonlyMap<Address, HeldAt>): readonly WalletToken[]
}

/** What a look has found. What a list has no place for is neither checked nor differs: readers ask for it. */
export interface Look {
  block: number
  checked: { wallets: number; pairs: number }
  differing: Compared
  /** Whether something could not be compared, because a list was brought to a later block meanwhile. */
  isAhead: boolean
  /** Whether no wallet holds a token by the lists that were read first. */
  isEmpty: boolean
}

export interface LookPorts {
  chainEvents: Pick<ChainEvents, 'block'>
  chainState: ChainState
  keptContracts: Pick<KeptContracts, 'lists'>
}

/**
 * Compares what is kept of a contract at a block with the chain. Throws ServiceUnavailable, and IndexerUnavailable also
 * if a node is behind.
 */
export async function lookAt(
  place: AuditedPlace,
  subjects: Subjects,
  ports: LookPorts,
  deadline: Deadline,
): Promise<Look> {
  const { contract, snapshot, upTo } = place
  // At once after the item: the longer ago it was read, the more lists are ahead of it.
  const held = await heldAt(place, wantedOf(subjects), ports.keptContracts)
  const block = await ports.chainEvents.block(contract.chain, upTo, deadline)
  if (!block) throw new IndexerUnavailable('the node does not have a block that has settled')
  const looking = { place, subjects, held, query: { contract, block, deadline } }
  const { wallets, pairs } =
    snapshot.standard === 'ERC721'
      ? await compareOwners(looking, ports)
      : await compareBalances(looking, ports)
  return {
    block: upTo,
    checked: { wallets: wallets.checked, pairs: pairs.checked },
    differing: { wallets: wallets.differing, pairs: pairs.differing },
    isAhead: wallets.isAhead || pairs.isAhead,
    isEmpty: isEmpty(held),
  }
}

/** Whether no wallet holds a token. */
export const isEmpty = (held: ReadonlyMap<Address, HeldAt>): boolean =>
  [...held.values()].every((of) => typeof of === 'object' && of.size === 0)

/** A look at a contract, with what wallets held by their lists and a question to the chain for the same block. */
interface Looking {
  place: AuditedPlace
  subjects: Subjects
  held: ReadonlyMap<Address, HeldAt>
  query: StateQuery
}

/** What is wanted of lists: those of wallets whole, those of pairs as far as they are about them. */
function wantedOf({ wallets, pairs }: Compared): Map<Address, readonly TokenIds[]> {
  const wanted = new Map<Address, readonly TokenIds[]>()
  for (const [wallet, its] of Map.groupBy(pairs, (pair) => pair.wallet)) {
    const tokenIds = its.map(({ tokenId }) => ({ fromTokenId: tokenId, toTokenId: tokenId }))
    wanted.set(wallet, tokenIds)
  }
  for (const wallet of wallets) wanted.set(wallet, [everyToken])
  return wanted
}

async function compareOwners(
  { place, subjects, held, query }: Looking,
  { chainState, keptContracts }: LookPorts,
) {
  const { wallets, tokenIds } = subjects
  const tokensToRead = [...new Set([...tokenIds, ...subjects.pairs.map(({ tokenId }) => tokenId)])]
  const counts = wallets.length > 0 ? await chainState.countsOf({ ...query, wallets }) : []
  const owners =
    tokensToRead.length > 0 ? await chainState.ownersOf({ ...query, tokenIds: tokensToRead }) : []
  const countOf = answersTo(wallets, counts)
  const ownerOf = answersTo(tokensToRead, owners)
  const found = tokenIds.flatMap((tokenId) => pairsOf(tokenId, ownerOf.get(tokenId), held))
  const pairs = [...subjects.pairs, ...found]
  const unread = { wallets: [], pairs: pairs.filter(({ wallet }) => !held.has(wallet)) }
  const all = new Map([...held, ...(await heldAt(place, wantedOf(unread), keptContracts))])
  const chainBalance = ({ wallet, tokenId }: WalletToken) =>
    ownerOf.get(tokenId) === wallet ? 1n : 0n
  return {
    wallets: compare(
      wallets,
      (wallet) => sizeOf(all.get(wallet)),
      (wallet) => countOf.get(wallet),
    ),
    pairs: compare(pairs, (pair) => balanceIn(all, pair), chainBalance),
  }
}

/** The pairs of a token with its owner by the chain, and with everybody else who holds it by the lists. */
function pairsOf(
  tokenId: TokenId,
  owner: Address | null | undefined,
  held: ReadonlyMap<Address, HeldAt>,
): WalletToken[] {
  const holders = [...held].filter(([, of]) => typeof of === 'object' && of.has(tokenId))
  const wallets = new Set([...(owner ? [owner] : []), ...holders.map(([wallet]) => wallet)])
  return [...wallets].map((wallet) => ({ wallet, tokenId }))
}

async function compareBalances({ subjects, held, query }: Looking, { chainState }: LookPorts) {
  const keyOf = ({ wallet, tokenId }: WalletToken) => `${wallet} ${tokenId}`
  const wanted = [...subjects.pairs, ...(subjects.pairsIn?.(held) ?? [])]
  const pairs = [...new Map(wanted.map((pair) => [keyOf(pair), pair])).values()]
  const balances = pairs.length > 0 ? await chainState.balancesOf({ ...query, pairs }) : []
  const balanceOf = answersTo(pairs, balances)
  return {
    wallets: { checked: 0, differing: [], isAhead: false },
    pairs: compare(
      pairs,
      (pair) => balanceIn(held, pair),
      (pair) => balanceOf.get(pair),
    ),
  }
}

function answersTo<Query, Answer>(
  queries: readonly Query[],
  answers: readonly Answer[],
): Map<Query, Answer> {
  if (answers.length !== queries.length) {
    throw new IndexerUnavailable('malformed answer: not as many results as calls')
  }
  return new Map(queries.map((each, index) => [each, answers[index] as Answer]))
}

/** What the lists say; absent if it is not known. */
type KeptNumber = bigint | 'ahead' | 'unlisted' | undefined

const sizeOf = (held: HeldAt | undefined): KeptNumber =>
  typeof held === 'object' ? BigInt(held.size) : held

function balanceIn(
  held: ReadonlyMap<Address, HeldAt>,
  { wallet, tokenId }: WalletToken,
): KeptNumber {
  const of = held.get(wallet)
  return typeof of === 'object' ? (of.get(tokenId) ?? 0n) : of
}

function compare<Item>(
  items: readonly Item[],
  keptOf: (item: Item) => KeptNumber,
  chainOf: (item: Item) => bigint | undefined,
) {
  const all = items.map((item) => ({ item, kept: keptOf(item), chain: chainOf(item) }))
  const known = all.filter(({ kept }) => typeof kept === 'bigint')
  return {
    checked: known.length,
    differing: known.filter(({ kept, chain }) => kept !== chain).map(({ item }) => item),
    isAhead: all.some(({ kept }) => kept === 'ahead'),
  }
}
