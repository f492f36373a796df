import type { TokenId } from '../allowlist/token-id.ts'
import { amountsOf, countOf } from '../holdings/holdings.ts'
import type { KeptEvent } from '../holdings/kept-event.ts'
import type { Address } from '../nft/address.ts'

/** Balances of wallets by token identifier. */
export type Balances = Map<Address, Map<TokenId, bigint>>

/** The NFTs that the log of a contract may move, so that they are held in memory. */
const maxMoved = 100_000n

/**
 * The pairs of wallet and token that events touch, which the pages of an indexer can have before or after the event. For ERC-721,
 * with what each holds after the last event of the token; the balances of others are to be asked for. `undefined` if there are more
 * than are held in memory.
 */
export async function touchedBalances(
  events: AsyncIterable<KeptEvent>,
): Promise<Balances | undefined> {
  const balances: Balances = new Map()
  const holders = new Map<TokenId, Set<Address>>()
  let moved = 0n
  for await (const event of events) {
    moved += countOf([event])
    if (moved > maxMoved) return undefined
    for (const [tokenId] of event.moved.flatMap((each) => [...amountsOf(each)])) {
      const of = holders.get(tokenId) ?? new Set()
      holders.set(tokenId, withParties(of, event))
      for (const wallet of of) set(balances, wallet, tokenId, wallet === event.to ? 1n : 0n)
    }
  }
  return balances
}

/** The wallets that can have had a token, with those of another event. */
function withParties(holders: Set<Address>, { from, to }: KeptEvent): Set<Address> {
  if (from) holders.add(from)
  if (to) holders.add(to)
  return holders
}

function set(balances: Balances, wallet: Address, tokenId: TokenId, balance: bigint): void {
  const of = balances.get(wallet) ?? new Map()
  balances.set(wallet, of.set(tokenId, balance))
}

/** The pairs of wallet and token in balances. */
export const pairsOf = (balances: Balances): { wallet: Address; tokenId: TokenId }[] =>
  [...balances].flatMap(([wallet, of]) => [...of.keys()].map((tokenId) => ({ wallet, tokenId })))
