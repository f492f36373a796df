import { rangeWith } from '../allowlist/token-ranges.ts'
import { CursorExpired } from '../failures.ts'
import type { Address } from '../nft/address.ts'
import { type Chain, chains } from '../nft/chain.ts'
import { type ContractWithRanges, compareNfts, contractKeyOf, type Nft } from '../nft/nft.ts'
import type { IndexedNft, OwnedNft } from '../nft/owned-nft.ts'
import type { AllowedTokenIds } from '../ports/allowlist.ts'
import type { KeptHoldings } from '../ports/kept-holdings.ts'
import type { AcceptedAge } from '../reading/freshness.ts'
import { compareTexts } from '../text.ts'
import { type Deadline, lastStartMilliseconds } from '../time-budget.ts'
import { type HeldAnswer, readHoldings } from './read-holdings.ts'

/**
 * The metadata of NFTs, in their order: of the first ones whose texts have `maxBytes` together, at least of one. Asks the indexer only
 * for what nobody had, and never fails because it is down.
 */
export type DescribeNfts = (
  nfts: readonly Nft[],
  limits: { maxBytes: number; deadline: Deadline },
) => Promise<IndexedNft[]>

export interface KeepingPorts {
  /** The chains on which contracts are kept. */
  keptChains: readonly Chain[]
  keptHoldings: KeptHoldings
  describe: DescribeNfts
}

/** What a player holds of kept contracts: the first part of a response, in the order of D24. */
export interface KeptPart {
  /** For each contract of the request, in its order, `1` if it is kept, up to the last one that is. A cursor carries it. */
  flags: string
  /** The contracts that the indexer is asked about. */
  asked: ContractWithRanges[]
  /** The moment of which it speaks, in milliseconds since 1970. */
  moment: number
  /** Whether all of it is on main networks, whose age is measured (D145). */
  isOnMain: boolean
  /** The allowlisted NFTs after a place, as many as fit; and the place of the next ones. */
  page(after: string | undefined): Promise<KeptPage>
}

/** Allowlisted NFTs of kept contracts. */
export interface KeptPage {
  nfts: OwnedNft[]
  /** The place after which the next ones are; absent if there are none. */
  next?: string | undefined
}

/** The place of an NFT in the order of D24, as text. */
export const placeOf = ({ chain, address, tokenId, owner }: Place): string =>
  [chain, address, tokenId, owner].join(' ')

/** How many NFTs of single identifiers are looked up at once, at least: those of one request to the table. */
const lookedUpAtOnce = 100

/**
 * Reads what is kept of a player's contracts; `undefined` if nothing of it may be used. `flags`: those of a cursor, whose contracts all have to be
 * kept still. Throws CursorExpired and ServiceUnavailable.
 */
export async function readKeptPart(
  {
    wallets,
    contracts,
    accepted,
    flags,
    limits,
  }: {
    wallets: readonly Address[]
    contracts: readonly ContractWithRanges[]
    accepted: AcceptedAge
    flags?: string | undefined
    limits: { maxEntries: number; maxBytes: number; deadline: Deadline }
  },
  ports: KeepingPorts & { allowedTokenIds: Pick<AllowedTokenIds, 'findAllowed'> },
): Promise<KeptPart | undefined> {
  const isWanted = ({ chain }: ContractWithRanges, index: number) =>
    ports.keptChains.includes(chain) && (flags === undefined || flags[index] === '1')
  const wanted = accepted.refusesKept ? [] : contracts.filter(isWanted)
  const answers = await readChains(wanted, wallets, ports.keptHoldings)
  const kept = new Set(
    wanted.filter(({ chain, address }) => {
      const answer = answers.get(chain)
      return answer?.contracts.has(address) && isYoung(answer, accepted)
    }),
  )
  if (kept.size < (flags?.replaceAll('0', '').length ?? 0)) throw new CursorExpired()
  if (kept.size === 0) return undefined
  const held = heldNfts([...kept], answers)
  const moments = [...kept].map(({ chain }) => answers.get(chain)?.moment ?? Date.now())
  return {
    flags: contracts
      .map((contract) => (kept.has(contract) ? '1' : '0'))
      .join('')
      .replace(/0+$/, ''),
    asked: contracts.filter((contract) => !kept.has(contract)),
    moment: Math.min(...moments),
    isOnMain: [...kept].every(({ chain }) => chains[chain].kind === 'main'),
    page: (after) => pageOf(held, after, limits, ports),
  }
}

/** The part that a cursor has behind it, of which nothing is read again. */
export const partBehind = (flags: string, contracts: readonly ContractWithRanges[]): KeptPart => ({
  ...{ flags, asked: contracts.filter((_, index) => flags[index] !== '1') },
  ...{ moment: Date.now(), isOnMain: false },
  page: async () => ({ nfts: [] }),
})

/** What wallets hold of contracts, by chain. */
async function readChains(
  contracts: readonly ContractWithRanges[],
  wallets: readonly Address[],
  keptHoldings: KeptHoldings,
): Promise<Map<Chain, HeldAnswer>> {
  const byChain = Map.groupBy(contracts, ({ chain }) => chain)
  const answers = [...byChain].map(async ([chain, its]) => {
    const query = { chain, wallets, contracts: its.map(({ address }) => address) }
    return [chain, await readHoldings(query, keptHoldings)] as const
  })
  return new Map(await Promise.all(answers))
}

const isYoung = ({ moment = 0 }: HeldAnswer, { maxAgeSeconds }: AcceptedAge): boolean =>
  maxAgeSeconds === undefined || Date.now() - moment <= maxAgeSeconds * 1_000

/** An NFT of a wallet without its metadata. */
interface HeldNft extends Nft {
  owner: Address
  balance: string
  contract: ContractWithRanges
}

/** What wallets hold of kept contracts, in the order of D24. */
function heldNfts(
  contracts: readonly ContractWithRanges[],
  answers: ReadonlyMap<Chain, HeldAnswer>,
): HeldNft[] {
  const held = contracts.flatMap((contract) => {
    const ofWallets = answers.get(contract.chain)?.contracts.get(contract.address) ?? new Map()
    return [...ofWallets].flatMap(([owner, holdings]) =>
      [...holdings].map(([tokenId, balance]) => ({
        ...contractKeyOf(contract),
        ...{ tokenId, owner, contract, balance: `${balance}` },
      })),
    )
  })
  return held.sort(compareHeld)
}

/** What decides about the order of NFTs. */
type Place = Pick<OwnedNft, 'chain' | 'address' | 'tokenId' | 'owner'>

const compareHeld = (a: Place, b: Place): number =>
  compareNfts(a, b) || compareTexts(a.owner, b.owner)

/** The place of a text of {@link placeOf}. */
function placeIn(text: string): Place {
  const [chain, address, tokenId, owner] = text.split(' ')
  return { chain, address, tokenId, owner } as Place
}

async function pageOf(
  held: readonly HeldNft[],
  after: string | undefined,
  { maxEntries, maxBytes, deadline }: { maxEntries: number; maxBytes: number; deadline: Deadline },
  {
    allowedTokenIds,
    describe,
  }: {
    allowedTokenIds: Pick<AllowedTokenIds, 'findAllowed'>
    describe: DescribeNfts
  },
): Promise<KeptPage> {
  const place = after === undefined ? undefined : placeIn(after)
  const rest = place ? held.filter((nft) => compareHeld(nft, place) > 0) : held
  const allowed: HeldNft[] = []
  let looked = 0
  // At least once, so that following cursors always makes progress.
  while (
    looked < rest.length &&
    allowed.length < maxEntries &&
    (looked === 0 || Date.now() < deadline - lastStartMilliseconds)
  ) {
    const some = rest.slice(looked, looked + Math.max(lookedUpAtOnce, maxEntries - allowed.length))
    allowed.push(...(await allowlisted(some, allowedTokenIds)))
    looked += some.length
  }
  const chosen = allowed.slice(0, maxEntries)
  const described = chosen.length === 0 ? [] : await describe(chosen, { maxBytes, deadline })
  const nfts = described.map(({ metadata, metadataLink }, index): OwnedNft => {
    const { chain, address, tokenId, owner, balance } = chosen[index] as HeldNft
    return { chain, address, tokenId, owner, balance, metadata, metadataLink }
  })
  const isCut = described.length < allowed.length
  if (!isCut && looked >= rest.length) return { nfts }
  const last = isCut ? chosen[described.length - 1] : rest[looked - 1]
  return { nfts, ...(last && { next: placeOf(last) }) }
}

/** Those that are on the allowlist, in their order. The NFTs that are in a range need no read (D57). */
async function allowlisted(
  nfts: readonly HeldNft[],
  { findAllowed }: Pick<AllowedTokenIds, 'findAllowed'>,
): Promise<HeldNft[]> {
  const isInRange = ({ contract, tokenId }: HeldNft) =>
    contract.ranges.length > 0 && rangeWith(contract.ranges, BigInt(tokenId)) !== undefined
  const inRanges = new Set(nfts.filter(isInRange))
  const unknown = nfts.flatMap((nft) =>
    inRanges.has(nft) ? [] : [{ nft, bindingId: nft.contract.bindingId, tokenId: nft.tokenId }],
  )
  const found = unknown.length === 0 ? [] : await findAllowed(unknown)
  const allowed = new Set([...inRanges, ...found.map(({ nft }) => nft)])
  return nfts.filter((nft) => allowed.has(nft))
}
