import { findFew, selection } from '../allowlist/allowlist-selection.ts'
import { CursorExpired } from '../failures.ts'
import type { LookedUp } from '../metadata/show-metadata.ts'
import { chains } from '../nft/chain.ts'
import type { ContractWithRanges } from '../nft/nft.ts'
import type { ShownNft } from '../nft/owned-nft.ts'
import type { Wallet } from '../nft/wallet.ts'
import type { AllowedTokenIds } from '../ports/allowlist.ts'
import type { KeptHoldings } from '../ports/kept-contracts.ts'
import { type Deadline, lastStartMilliseconds } from '../time-budget.ts'
import { countHeld, type HeldNft, type HeldNfts, heldNfts, placeIn, placeOf } from './held-nfts.ts'
import type { ShownTexts } from './known-contracts.ts'
import { type ChangeOf, changesOf, haveOneOwner, type KnownContract } from './known-contracts.ts'
import { type BegunPositions, readChains } from './read-chains.ts'

/** What a player holds of kept contracts: the first part of a response, in the order of D24. */
export interface KeptPart {
  /** For each contract of the request, in its order, `1` if it is kept, up to the last one that is. A cursor carries it. */
  flags: string
  fromIndexer: ContractWithRanges[]
  /** The moment of which it speaks, in milliseconds since 1970. */
  moment: number
  /** Whether it is older than the rules allow, because the indexer is down. */
  isStale: boolean
  count: number
  /** Whether all of it is on main networks, whose age is measured (D145). */
  isOnMain: boolean
  /** The allowlisted NFTs after a place, as many as fit; and the place of the next ones. */
  page(after: string | undefined): Promise<KeptPage>
}

interface KeptPage {
  nfts: ShownNft[]
  /** The place after which the next ones are; absent if there are none. */
  next?: string | undefined
}

export interface KeptFinding {
  /** Absent if the indexer is asked about all of the contracts. */
  part?: KeptPart | undefined
  /** Of the contracts that were looked up. Never rejects. */
  known: Promise<KnownContract[]>
}

/** How many NFTs of single identifiers are looked up at once, at least: those of one request to the table. */
const lookedUpAtOnce = 100

/** The most NFTs that are compared at once, when those before were not allowlisted. */
const comparedAtOnce = 1_000

/** The most NFTs of single identifiers whose metadata is read before it is known whether they are allowlisted. */
const maxReadBefore = 50

interface KeptQuery {
  wallets: readonly Wallet[]
  /** The contracts of the request, and those of them whose holders may be kept. */
  contracts: readonly ContractWithRanges[]
  eligible: ReadonlySet<ContractWithRanges>
  positions?: BegunPositions | undefined
  /** The age of the confirmed block with which holdings count, in seconds. */
  maxAgeSeconds: number
  isStale: boolean
  flags?: string | undefined
  limits: PageLimits
}

interface KeptPorts extends PagePorts {
  keptHoldings: KeptHoldings
}

/**
 * Reads what is kept of a player's contracts. `flags`: those of a cursor, whose contracts all have to be kept still.
 * Throws CursorExpired and ServiceUnavailable.
 */
export async function readKeptPart(query: KeptQuery, ports: KeptPorts): Promise<KeptFinding> {
  const { contracts, eligible, flags, limits, isStale, wallets, positions, maxAgeSeconds } = query
  const wanted = contracts.filter(
    (contract, index) => eligible.has(contract) && (flags === undefined || flags[index] === '1'),
  )
  const isNeeded = flags !== undefined
  const { answers, known } = await readChains(
    { wallets, contracts: wanted, positions, maxAgeSeconds, isNeeded, deadline: limits.deadline },
    ports.keptHoldings,
  )
  const kept = new Set(
    wanted.filter(({ chain, address }) => answers.get(chain)?.contracts.has(address)),
  )
  if (kept.size < (flags?.replaceAll('0', '').length ?? 0)) throw new CursorExpired()
  if (kept.size === 0) return { known }
  const held = [...kept].map((contract) => ({
    contract,
    ofWallets: answers.get(contract.chain)?.contracts.get(contract.address) ?? new Map(),
  }))
  const moments = [...kept].map(({ chain }) => answers.get(chain)?.moment ?? Date.now())
  const part: KeptPart = {
    flags: contracts
      .map((contract) => (kept.has(contract) ? '1' : '0'))
      .join('')
      .replace(/0+$/, ''),
    fromIndexer: contracts.filter((contract) => !kept.has(contract)),
    moment: Math.min(...moments),
    isStale,
    count: countHeld(held),
    isOnMain: [...kept].every(({ chain }) => chains[chain].kind === 'main'),
    page: async (after) => {
      const its = await known
      const place = after === undefined ? undefined : placeIn(after)
      const nfts = heldNfts(held, place, haveOneOwner(its))
      return await pageOf(nfts, { ...limits, changedAt: changesOf(its) }, ports)
    },
  }
  return { part, known }
}

/** The part that a cursor has behind it, of which nothing is read again. */
export const partBehind = (flags: string, contracts: readonly ContractWithRanges[]): KeptPart => ({
  ...{ flags, fromIndexer: contracts.filter((_, index) => flags[index] !== '1') },
  ...{ moment: Date.now(), isStale: false, count: 0, isOnMain: false },
  page: async () => ({ nfts: [] }),
})

interface PageLimits {
  maxEntries: number
  maxBytes: number
  deadline: Deadline
}

interface PagePorts {
  allowedTokenIds: Pick<AllowedTokenIds, 'findAllowed' | 'listIn'>
  texts: ShownTexts
}

async function pageOf(
  held: HeldNfts,
  context: PageLimits & { changedAt: ChangeOf },
  ports: PagePorts,
): Promise<KeptPage> {
  const { maxEntries, maxBytes, deadline, changedAt } = context
  const { allowed, last, lookedUp } = await findAllowed(held, context, ports)
  const chosen = allowed.slice(0, maxEntries)
  const shown =
    chosen.length === 0
      ? []
      : await ports.texts.describe(chosen, { maxBytes, deadline, changedAt, lookedUp })
  const nfts = shown.map(({ metadata, metadataLink }, index): ShownNft => {
    const { chain, address, tokenId, owner, balance } = chosen[index] as HeldNft
    return { chain, address, tokenId, owner, balance, metadata, metadataLink }
  })
  const end = shown.length < allowed.length ? chosen[shown.length - 1] : last
  return { nfts, ...(end && { next: placeOf(end) }) }
}

/** The first allowlisted NFTs, the last one that was compared, if others follow, and what is kept of their metadata. */
async function findAllowed(
  held: HeldNfts,
  { maxEntries, maxBytes, deadline }: PageLimits,
  { allowedTokenIds, texts }: PagePorts,
) {
  const allowed: HeldNft[] = []
  const sparse = { findAllowed: findFew(allowedTokenIds) }
  let last: HeldNft | undefined
  let lookedUp: LookedUp | undefined
  let atLeast = lookedUpAtOnce
  do {
    const count = Math.max(atLeast, maxEntries - allowed.length)
    const { nfts, isEnd } = held(last, count)
    const selected = selection(nfts, ({ contract }) => contract)
    // Strangers can send a wallet any number of NFTs, so that the metadata of more is read only of those that are allowlisted.
    const isReadBefore = !last && selected.lookups > 0 && selected.lookups <= maxReadBefore
    const [found, texted] = await Promise.all([
      selected.allowed(last ? sparse : allowedTokenIds),
      isReadBefore ? texts.lookUp(nfts, maxBytes) : undefined,
    ])
    allowed.push(...found)
    lookedUp ??= texted
    if (isEnd) return { allowed, lookedUp }
    last = nfts.at(-1)
    atLeast = found.length > 0 ? lookedUpAtOnce : Math.min(2 * atLeast, comparedAtOnce)
    // At least once, so that following cursors always makes progress.
  } while (allowed.length < maxEntries && Date.now() < deadline - lastStartMilliseconds)
  return { allowed, last, lookedUp }
}
