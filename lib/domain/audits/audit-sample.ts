import type { TokenId } from '../allowlist/token-id.ts'
import { IndexerUnavailable } from '../failures.ts'
import { type Address, toAddress } from '../nft/address.ts'
import type { ContractKey } from '../nft/nft.ts'
import { type Indexer, OwnersNotListed, type TokenOwners } from '../ports/indexer.ts'
import type { Deadline } from '../time-budget.ts'
import { isEmpty, type WalletToken } from './audit-look.ts'
import type { AuditedPlace, HeldAt } from './held-at.ts'

/** The wallets, the tokens and the pairs from lists that an audit looks at. */
const sampleSize = 50

/** The wallets of ERC-1155 contracts of which the indexer is asked what they hold. */
const indexerWallets = 10

/** The most NFTs of a page of the indexer. */
const pageSize = 100

export interface SamplePorts {
  indexer: Pick<Indexer, 'contractNfts' | 'ownedNfts'>
  tokenOwners: Pick<TokenOwners, 'page'>
}

export interface SampleQuery {
  /** Wallets that were read lately. Half of the wallets of an audit are of these. */
  recentWallets: readonly Address[]
  /** Where the audit before has ended in the indexer's list of NFTs; absent: at its end, or there was none. */
  nftsPageKey?: string | undefined
  /** A number from 0 to 1, without 1. */
  random(): number
}

interface AuditSample {
  wallets: readonly Address[]
  /** Tokens of the contract, as the indexer lists them. */
  tokenIds: readonly TokenId[]
  /** ERC-1155: what some of the wallets hold, as the indexer says. */
  pairs: readonly WalletToken[]
  nftsPageKey?: string | undefined
}

/** Chooses by chance what an audit looks at. Throws the failures of the indexer. */
export async function auditSample(
  { contract, item, snapshot }: AuditedPlace,
  { recentWallets, nftsPageKey, random }: SampleQuery,
  { indexer, tokenOwners }: SamplePorts,
  deadline: Deadline,
): Promise<AuditSample> {
  const others = sampleOf<Address>(sampleSize, random)
  const inEvents = item.events.flatMap(({ from, to }) => [from, to])
  for (const wallet of new Set(inEvents)) if (wallet) others.take(wallet)
  let last: Address | undefined
  const page = tokenOwners.page({ contract, deadline }, ({ owner }) => {
    // What an owner has stands together.
    if (owner !== last) others.take(owner)
    last = owner
  })
  await page.catch(unlessNotListed)
  const wallets = walletsOf(recentWallets, others.items(), random)
  const listed = await nftsFrom(nftsPageKey, { contract, limit: pageSize, deadline }, indexer)
  const queried = snapshot.standard === 'ERC1155' ? someOf(wallets, indexerWallets, random) : []
  return {
    wallets,
    tokenIds: someOf(listed.tokenIds, sampleSize, random),
    pairs: await ownedPairs(contract, queried, indexer, deadline),
    nftsPageKey: listed.pageKey,
  }
}

/** A page of the contract's NFTs. A page key that is refused has expired, so that the list begins again. */
async function nftsFrom(
  pageKey: string | undefined,
  first: Parameters<Indexer['contractNfts']>[0],
  indexer: SamplePorts['indexer'],
): ReturnType<Indexer['contractNfts']> {
  if (pageKey === undefined) return await indexer.contractNfts(first)
  try {
    return await indexer.contractNfts({ ...first, pageKey })
  } catch (error) {
    if (!(error instanceof IndexerUnavailable)) throw error
    return await indexer.contractNfts(first)
  }
}

/** Goes on with the other wallets if the indexer does not list the owners any more. */
function unlessNotListed(error: unknown): void {
  if (!(error instanceof OwnersNotListed)) throw error
}

const zeroAddress = toAddress(`0x${'0'.repeat(40)}`)

/** Wallets of which half were read lately, as far as there are enough. No contract says what the zero address has. */
function walletsOf(
  recentWallets: readonly Address[],
  others: readonly Address[],
  random: () => number,
): Address[] {
  const recent = someOf(recentWallets, sampleSize, random)
  const first = [...recent.slice(0, sampleSize / 2), ...someOf(others, others.length, random)]
  const all = new Set([...first, ...recent])
  all.delete(zeroAddress)
  return [...all].slice(0, sampleSize)
}

async function ownedPairs(
  { chain, address }: ContractKey,
  wallets: readonly Address[],
  indexer: SamplePorts['indexer'],
  deadline: Deadline,
): Promise<WalletToken[]> {
  const pairs: WalletToken[] = []
  for (const wallet of wallets) {
    const query = { chain, owner: wallet, contracts: [address], deadline }
    const { nfts } = await indexer.ownedNfts(query)
    pairs.push(...nfts.map(({ tokenId }) => ({ wallet, tokenId })))
  }
  return pairs
}

/**
 * Pairs from what wallets hold by their lists, or if these are empty, of wallets with tokens that the indexer lists.
 */
export function pairsFrom(
  held: ReadonlyMap<Address, HeldAt>,
  { wallets, tokenIds }: Pick<AuditSample, 'wallets' | 'tokenIds'>,
  random: () => number,
): WalletToken[] {
  const from = isEmpty(held)
    ? wallets.flatMap((wallet) => tokenIds.map((tokenId) => ({ wallet, tokenId })))
    : [...held].flatMap(([wallet, of]) =>
        typeof of === 'string' ? [] : [...of.keys()].map((tokenId) => ({ wallet, tokenId })),
      )
  return someOf(from, sampleSize, random)
}

/** Some of different items, by chance: at most a number of them, each one once. */
function someOf<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const rest = [...new Set(items)]
  const some: Item[] = []
  while (rest.length > 0 && some.length < count) {
    some.push(...rest.splice(Math.floor(random() * rest.length), 1))
  }
  return some
}

/** A sample of items that come one by one, in bounded memory: each of them has the same chance to be in it. */
function sampleOf<Item>(size: number, random: () => number) {
  const sample: Item[] = []
  let taken = 0
  return {
    take(item: Item): void {
      taken += 1
      const place = taken <= size ? sample.length : Math.floor(random() * taken)
      if (place < size) sample[place] = item
    },
    items: (): readonly Item[] => sample,
  }
}
