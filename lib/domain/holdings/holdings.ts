import { type TokenId, tokenIdOf } from '../allowlist/token-id.ts'
import type { Address } from '../nft/address.ts'
import type { NftStandard } from '../nft/nft.ts'
import type { KeptEvent, Moved } from './kept-event.ts'

/** The most NFTs that a list has. The indexer is asked for what a wallet holds beyond it. */
export const maxListed = 10_000

/** What a wallet holds of a contract: token identifiers with balances above 0. */
export type Holdings = Map<TokenId, bigint>

/** Changes what a wallet holds by events in order: the last one decides for ERC-721; amounts of ERC-1155 are added. */
export function applyEvents(
  holdings: Holdings,
  wallet: Address,
  events: readonly KeptEvent[],
  standard: NftStandard,
): void {
  const apply = standard === 'ERC721' ? applyOwner : applyAmount
  for (const event of events) {
    if (event.from !== wallet && event.to !== wallet) continue
    for (const [tokenId, amount] of event.moved.flatMap((each) => [...amountsOf(each)])) {
      apply(holdings, wallet, event, tokenId, amount)
    }
  }
  // Amounts are in order only together: a contract can tell of a mint after what the receiver has done with it.
  for (const [tokenId, balance] of holdings) if (balance <= 0n) holdings.delete(tokenId)
}

type Apply = (
  holdings: Holdings,
  wallet: Address,
  event: KeptEvent,
  tokenId: TokenId,
  amount: bigint,
) => void

const applyOwner: Apply = (holdings, wallet, { to }, tokenId) => {
  if (to === wallet) holdings.set(tokenId, 1n)
  else holdings.delete(tokenId)
}

const applyAmount: Apply = (holdings, wallet, { from, to }, tokenId, amount) => {
  if (from === wallet) add(holdings, tokenId, -amount)
  if (to === wallet) add(holdings, tokenId, amount)
}

const add = (holdings: Holdings, tokenId: TokenId, amount: bigint) =>
  holdings.set(tokenId, (holdings.get(tokenId) ?? 0n) + amount)

/** The token identifiers that an event moves, each with its amount. */
export function* amountsOf(moved: Moved): Generator<[TokenId, bigint]> {
  if ('tokenId' in moved) {
    yield [moved.tokenId, moved.amount]
    return
  }
  const last = BigInt(moved.toTokenId)
  for (let id = BigInt(moved.fromTokenId); id <= last; id += 1n) yield [tokenIdOf(id), 1n]
}

/** How many token identifiers events move. */
export const countOf = (events: readonly KeptEvent[]): bigint =>
  events.reduce((sum, { moved }) => sum + moved.reduce((of, each) => of + sizeOf(each), 0n), 0n)

const sizeOf = (moved: Moved): bigint =>
  'tokenId' in moved ? 1n : BigInt(moved.toTokenId) - BigInt(moved.fromTokenId) + 1n
