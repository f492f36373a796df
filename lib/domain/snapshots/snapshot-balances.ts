import { keccak_256 } from '@noble/hashes/sha3.js'
import type { TokenId } from '../allowlist/token-id.ts'
import { amountsOf, countOf } from '../holdings/holdings.ts'
import type { KeptEvent } from '../holdings/kept-event.ts'
import type { Address } from '../nft/address.ts'

const modulus = 2n ** 128n

const termOf = (wallet: Address, tokenId: TokenId, balance: bigint): bigint => {
  if (balance === 0n) return 0n
  const digest = keccak_256(new TextEncoder().encode(`${wallet} ${tokenId} ${balance}`))
  return BigInt(`0x${Buffer.from(digest.subarray(0, 16)).toString('hex')}`)
}

/**
 * A number of 128 bits for a set of balances, in any order. Sets with the same number are the same, but for a
 * negligible chance. A sum begins with another one's text; by default, that of no balances.
 */
export function holdingsSum(text = '0') {
  let sum = BigInt(text)
  return {
    add(...balance: Parameters<typeof termOf>): void {
      sum = (sum + termOf(...balance)) % modulus
    },
    remove(...balance: Parameters<typeof termOf>): void {
      sum = (sum + modulus - termOf(...balance)) % modulus
    },
    /** As decimal text. */
    text: () => `${sum}`,
  }
}

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

export function setBalance(
  balances: Balances,
  wallet: Address,
  tokenId: TokenId,
  balance: bigint,
): void {
  const of = balances.get(wallet) ?? new Map()
  balances.set(wallet, of.set(tokenId, balance))
}

export const pairsOf = (balances: Balances): { wallet: Address; tokenId: TokenId }[] =>
  [...balances].flatMap(([wallet, of]) => [...of.keys()].map((tokenId) => ({ wallet, tokenId })))
