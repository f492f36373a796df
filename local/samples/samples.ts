import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Address } from '../../lib/domain/nft/address.ts'
import type { Chain } from '../../lib/domain/nft/chain.ts'
import type { TokenType } from '../indexer/world.ts'
import { type Account, sampleAccount } from './sample-account.ts'

/** A sample contract, and the tokens that the sample product allowlists. */
export interface SampleCollection {
  chain: Chain
  address: Address
  kind: TokenType
  name: string
  /** Decimal text, ascending; or `*` alone, which is every token. */
  tokenIds: readonly string[]
}

/** A sample player, with the claims of a user JWT (D21). */
export interface SamplePlayer {
  userId: number
  username: string
  wallets: readonly Address[]
}

/** Returns an invented address, the same on every machine. */
export const sampleAddress = (name: string): Address =>
  `0x${bytesToHex(sha256(utf8ToBytes(`brindlewake/${name}`)).subarray(0, 20))}` as Address

/** Returns the whole numbers from the first to the last, as decimal text. */
export const numbers = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index))

/** A token identifier with the token's kind in its upper 128 bits, as ERC-1155 suggests. */
export const foundersGear = String((1n << 128n) + 1n)

const collection = (
  name: string,
  [kind, chain]: readonly [TokenType, Chain],
  tokenIds: readonly string[],
): SampleCollection => ({ chain, address: sampleAddress(name), kind, name, tokenIds })

const accountsOf = (username: string, count: number): Account[] =>
  numbers(1, count).map((wallet) => sampleAccount(`${username}/${wallet}`))

const player = (userId: number, username: string, wallets: number): SamplePlayer => ({
  userId,
  username,
  wallets: accountsOf(username, wallets).map(({ address }) => address),
})

/** The wallets of a sample player, which can sign. */
export const sampleAccounts = ({ username, wallets }: SamplePlayer): Account[] =>
  accountsOf(username, wallets.length)

/** The sample data of the local stack, the same on every machine. */
export const samples = {
  /** Lamp keepers, their equipment, curios with unusual metadata, lanterns, vessels, and crates. */
  collections: {
    keepers: collection('Brindlewake Keepers', ['ERC721', 'POLYGON'], numbers(1, 400)),
    gear: collection('Brindlewake Gear', ['ERC1155', 'POLYGON'], [...numbers(1, 24), foundersGear]),
    curios: collection('Brindlewake Curios', ['ERC721', 'POLYGON'], numbers(1, 8)),
    /** 10,000 NFTs, all of them allowlisted, and those that `npm run mint` adds. */
    lanterns: collection('Brindlewake Lanterns', ['ERC721', 'POLYGON'], ['*']),
    vessels: collection('Brindlewake Vessels', ['ERC721', 'BSC'], numbers(1, 150)),
    crates: collection('Brindlewake Tide Crates', ['ERC1155', 'BSC'], numbers(1, 6)),
  },
  players: {
    oneWallet: player(1001, 'marrow_finch', 1),
    /** The third wallet holds the curios. */
    threeWallets: player(1002, 'tessaly_vane', 3),
    /** 304 NFTs on both chains. */
    largeWallet: player(1003, 'old_quill', 1),
    emptyWallet: player(1004, 'pip_ashore', 1),
  },
  serviceToken: {
    chain: 'POLYGON',
    address: sampleAddress('Wick'),
    decimals: 18,
    symbol: 'WICK',
  },
} as const satisfies {
  collections: Record<string, SampleCollection>
  players: Record<string, SamplePlayer>
  serviceToken: { chain: Chain; address: Address; decimals: number; symbol: string }
}
