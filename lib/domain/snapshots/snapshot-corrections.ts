import type { TokenId } from '../allowlist/token-id.ts'
import { amountsOf, countOf } from '../holdings/holdings.ts'
import type { KeptEvent } from '../holdings/kept-event.ts'
import type { Address } from '../nft/address.ts'

/** Balances of wallets by token identifier. */
export type Balances = Map<Address, Map<TokenId, bigint>>

/** The NFTs that the log of a contract may move, so that they are held in memory. */
const maxMoved = 100_000n

/**
 * The pairs of wallet and token that events touch, which the pages of an indexer can have before or after the event; each with 0, because
 * only the chain says what it has. `undefined` if there are more than are held in memory.
 */
export async function touchedPairs(
  events: AsyncIterable<KeptEvent>,
): Promise<Balances | undefined> {
  const balances: Balances = new Map()
  let moved = 0n
  for await (const event of events) {
    moved += countOf([event])
    if (moved > maxMoved) return undefined
    for (const [tokenId] of event.moved.flatMap((each) => [...amountsOf(each)])) {
      for (const wallet of [event.from, event.to]) {
        if (wallet) setBalance(balances, wallet, tokenId, 0n)
      }
    }
  }
  return balances
}

/** Sets what a wallet has of a token. */
export function setBalance(
  balances: Balances,
  wallet: Address,
  tokenId: TokenId,
  balance: bigint,
): void {
  const of = balances.get(wallet) ?? new Map()
  balances.set(wallet, of.set(tokenId, balance))
}

/** The pairs of wallet and token in balances. */
export const pairsOf = (balances: Balances): { wallet: Address; tokenId: TokenId }[] =>
  [...balances].flatMap(([wallet, of]) => [...of.keys()].map((tokenId) => ({ wallet, tokenId })))
