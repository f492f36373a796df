import { IndexerUnavailable } from '../failures.ts'
import { unlessCallsSpent } from '../limit/reservation.ts'
import { isCovered } from '../nft/chain.ts'
import { type ContractWithRanges, contractKeyOf, type Nft } from '../nft/nft.ts'
import type { Indexer } from '../ports/indexer.ts'
import type { Deadline } from '../time-budget.ts'
import type { ContractElement } from './list-allowed-nfts.ts'
import { lastTokenId } from './token-element.ts'
import { largestTokenId, type TokenId, tokenIdOf } from './token-id.ts'
import type { TokenRange } from './token-ranges.ts'

interface ReadingLimits {
  nfts: number
  contracts: number
  pages: number
  /** After this moment no further page is started, except for the first page. */
  until: Deadline
}

/**
 * Reads the NFTs of elements of an allowlist, within limits: each single identifier, and the NFTs in the ranges
 * that exist (D60), until no call of the indexer is left (D78). At least one step is read, so that following the
 * position always makes progress. Everything up to `readUpTo` was read; it is absent at the end of the elements.
 */
export async function existingNfts(
  elements: readonly ContractElement[],
  limits: ReadingLimits,
  indexer: Indexer,
  deadline: Deadline,
): Promise<{ nfts: Nft[]; readUpTo?: Nft }> {
  const nfts: Nft[] = []
  const contracts = new Set<ContractWithRanges>()
  let [pages, emptyPages] = [0, 0]
  let readUpTo: Nft | undefined
  const nextPage = async (contract: ContractWithRanges, from: bigint) => {
    if (pages > 0 && (pages === limits.pages || Date.now() >= limits.until)) return undefined
    pages += 1
    const page = await readPage(contract, from, indexer, deadline).catch(unlessCallsSpent)
    if (!page) return undefined
    if (page.tokenIds.length === 0 && page.last < largestTokenId) emptyPages += 1
    // A reader that follows the positions would never come to an end (D39).
    if (emptyPages === limits.pages) throw new IndexerUnavailable('malformed answer: empty pages')
    return page
  }
  const end = elements.at(-1)
  for await (const { contract, tokenIds, upTo } of stepsOf(elements, nextPage)) {
    if (tokenIds.length > 0) contracts.add(contract)
    if (contracts.size > limits.contracts) break
    const room = limits.nfts - nfts.length
    const read = tokenIds.slice(0, room).map((tokenId) => nftOf(contract, tokenId))
    nfts.push(...read)
    const isCut = tokenIds.length > room
    const isLast = contract === end?.contract && upTo === lastTokenId(end.element)
    if (isLast && !isCut) return { nfts }
    readUpTo = (isCut ? read.at(-1) : undefined) ?? nftOf(contract, upTo)
    if (nfts.length === limits.nfts) break
  }
  return { nfts, ...(readUpTo && { readUpTo }) }
}

/** A step of the reading: the NFTs from the end of the step before up to an identifier. */
interface Step {
  contract: ContractWithRanges
  tokenIds: TokenId[]
  upTo: TokenId
}

/** The existing NFTs of a contract between two identifiers, both included. */
interface Page extends TokenRange {
  contract: ContractWithRanges
  tokenIds: TokenId[]
}

/** Reads the page of a contract that begins with an identifier; `undefined` if no further page may be read. */
type NextPage = (contract: ContractWithRanges, from: bigint) => Promise<Page | undefined>

/** Goes through the elements until the end, or until `nextPage` returns none. */
async function* stepsOf(
  elements: readonly ContractElement[],
  nextPage: NextPage,
): AsyncGenerator<Step, void> {
  let page: Page | undefined
  // A page can cover several ranges.
  const pageWith: NextPage = async (contract, from) => {
    const isKnown = page?.contract === contract && from <= page.last
    page = isKnown ? page : await nextPage(contract, from)
    return page
  }
  for (const { contract, element } of elements) {
    if (typeof element === 'string') {
      yield { contract, tokenIds: [element], upTo: element }
    } else if (isCovered(contract.chain)) {
      const isRead = yield* stepsOfRange(contract, element, pageWith)
      if (!isRead) return
    } else {
      // The indexer is not called for a chain that it does not cover (D56).
      yield { contract, tokenIds: [], upTo: lastTokenId(element) }
    }
  }
}

/** Goes through a range. Returns whether it was read to its end. */
async function* stepsOfRange(
  contract: ContractWithRanges,
  { first, last }: TokenRange,
  pageWith: NextPage,
): AsyncGenerator<Step, boolean> {
  for (let from = first; from <= last; ) {
    const page = await pageWith(contract, from)
    if (!page) return false
    const to = page.last < last ? page.last : last
    const isBetween = (id: bigint) => id >= from && id <= to
    const tokenIds = page.tokenIds.filter((tokenId) => isBetween(BigInt(tokenId)))
    yield { contract, tokenIds, upTo: tokenIdOf(to) }
    from = to + 1n
  }
  return true
}

async function readPage(
  contract: ContractWithRanges,
  first: bigint,
  indexer: Indexer,
  deadline: Deadline,
): Promise<Page> {
  const from = tokenIdOf(first)
  const { tokenIds, next } = await indexer.nftsFrom({
    contract: contractKeyOf(contract),
    from,
    deadline,
  })
  const last = next === undefined ? largestTokenId : BigInt(next) - 1n
  return { contract, first, last, tokenIds }
}

const nftOf = (contract: ContractWithRanges, tokenId: TokenId): Nft => ({
  ...contractKeyOf(contract),
  tokenId,
})
