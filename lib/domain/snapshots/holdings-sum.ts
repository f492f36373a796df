import { keccak_256 } from '@noble/hashes/sha3.js'
import type { TokenId } from '../allowlist/token-id.ts'
import type { Address } from '../nft/address.ts'

const modulus = 2n ** 128n

/** The part of a sum that one balance has. */
const termOf = (wallet: Address, tokenId: TokenId, balance: bigint): bigint => {
  if (balance === 0n) return 0n
  const digest = keccak_256(new TextEncoder().encode(`${wallet} ${tokenId} ${balance}`))
  return BigInt(`0x${Buffer.from(digest.subarray(0, 16)).toString('hex')}`)
}

/**
 * A number of 128 bits for a set of balances, in whatever order they are added. Two sets with one number are the same set, but for
 * a chance that nobody can wait for.
 */
export interface HoldingsSum {
  add(wallet: Address, tokenId: TokenId, balance: bigint): void
  remove(wallet: Address, tokenId: TokenId, balance: bigint): void
  /** As decimal text. */
  text(): string
}

/** A sum that begins with another one's text; by default, that of no balances. */
export function holdingsSum(text = '0'): HoldingsSum {
  let sum = BigInt(text)
  return {
    add(...balance) {
      sum = (sum + termOf(...balance)) % modulus
    },
    remove(...balance) {
      sum = (sum + modulus - termOf(...balance)) % modulus
    },
    text: () => `${sum}`,
  }
}
