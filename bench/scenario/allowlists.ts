import { randomUUID } from 'node:crypto'
import { allowedKey, bindingPartition } from '../../lib/adapters/dynamodb/keys/binding-partition.ts'
import { contractKey } from '../../lib/adapters/dynamodb/keys/product-partition.ts'
import { encodeTokenRanges } from '../../lib/adapters/dynamodb/token-ranges.ts'
import { everyTokenId, type TokenRanges } from '../../lib/domain/allowlist/token-ranges.ts'
import { type Address, toAddress } from '../../lib/domain/nft/address.ts'
import type { BindingId } from '../../lib/domain/nft/nft.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import type { MemoryTable } from '../stubs/memory-table.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import {
  chain,
  collection,
  itemKey,
  type SeededProduct,
  seedProduct,
  tokenIds,
} from './products.ts'
import { newWallet } from './wallets.ts'

/** The number of contracts of each product. */
const contractCount = 500

/** A contract with single NFTs, which an indexer call covers together with {@link collection}. */
const neighbour = toAddress(`${collection.slice(0, -1)}8`)

/** The allowlist of {@link collection}, and the ranges of the other contracts but the neighbour. */
interface Allowlist {
  singles: number
  ranges: TokenRanges
  rangesElsewhere: TokenRanges
}

/** Ranges of 5 identifiers, in steps of 1,000. The first one is 1..5. */
const shortRanges = (count: number): TokenRanges =>
  Array.from({ length: count }, (_, index) => {
    const first = BigInt(index) * 1_000n + 1n
    return { first, last: first + 4n }
  })

/** The range 1..5, and three in the identifiers of ERC-1155, which have a kind in their upper 128 bits. */
const fourRanges: TokenRanges = [
  ...shortRanges(1),
  ...[1n, 2n, 3n].map((kind) => ({
    first: ((kind << 124n) | 1n) << 128n,
    last: (((kind << 124n) | 2n) << 128n) - 1n,
  })),
]

/** The kinds of allowlists, by what the tables call them. */
export const allowlists = {
  '1,000,000 singles': { singles: 1_000_000, ranges: [], rangesElsewhere: [] },
  '100 ranges': { singles: 10, ranges: shortRanges(100), rangesElsewhere: [] },
  '`*`': { singles: 0, ranges: [everyTokenId], rangesElsewhere: [] },
  [`${contractCount} contracts of 4 ranges`]: {
    singles: 10,
    ranges: fourRanges,
    rangesElsewhere: fourRanges,
  },
} as const satisfies Record<string, Allowlist>

/**
 * Puts a product with {@link contractCount} contracts into the table: the collection with this allowlist, a neighbour
 * with ten single NFTs, and contracts without NFTs of anyone.
 */
export function seedAllowlist(
  table: MemoryTable,
  { singles, ranges, rangesElsewhere }: Allowlist,
): SeededProduct {
  const product = seedProduct(table, 0)
  const connect = contractsOf(table, product)
  connect(collection, singles, ranges)
  connect(neighbour, 10, [])
  for (let index = 2; index < contractCount; index += 1) {
    const address = toAddress(`0x6${index.toString(16).padStart(39, '0')}`)
    connect(address, 0, rangesElsewhere)
  }
  return product
}

/** Connects a contract as the service does, with the identifiers from 1 to `singles` and with ranges. */
const contractsOf =
  (table: MemoryTable, { productId }: SeededProduct) =>
  (address: Address, singles: number, ranges: TokenRanges) => {
    const bindingId = randomUUID() as string as BindingId
    const pk = bindingPartition(bindingId)
    const sks = tokenIds(singles).map((tokenId) => allowedKey(bindingId, tokenId).sk)
    table.fill(pk, sks, (sk) => itemKey({ pk, sk }))
    const bytes = Buffer.from(encodeTokenRanges(ranges)).toString('base64')
    table.put({
      ...itemKey(contractKey(productId as ProductId, { chain, address })),
      bindingId: { S: bindingId },
      createdAt: { S: '2026-11-01T00:00:00.000Z' },
      ...(ranges.length > 0 && { ranges: { B: bytes } }),
    })
  }

/** A wallet with ten NFTs of the collection and ten of its neighbour, which share a page of the indexer. */
export function newMixedWallet(surroundings: Surroundings): string {
  const wallet = newWallet(surroundings, 10)
  const { world } = surroundings
  ownedBy(world, { network: 'polygon-mainnet', address: neighbour }, wallet, tokenIds(10))
  return wallet
}
