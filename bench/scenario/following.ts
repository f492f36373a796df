import {
  followedContractKey,
  followKey,
} from '../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { contractFromKey, contractsOf } from '../../lib/adapters/dynamodb/keys/product-partition.ts'
import { movementKey } from '../../lib/adapters/dynamodb/keys/wallet-partition.ts'
import { type Address, toAddress } from '../../lib/domain/nft/address.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import { type Item, keyOf, type MemoryTable } from '../stubs/memory-table.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Operation } from './operations.ts'
import { chain, collection, itemKey, type SeededProduct } from './products.ts'

const hour = 3_600_000

/** The same surroundings for functions of a deployment that follows the chain of the products. */
export const followed = (surroundings: Surroundings): Surroundings => ({
  ...surroundings,
  variables: { ...surroundings.variables, FOLLOWED_CHAINS: chain },
})

/**
 * A read of a player's NFTs of a product while the follower of the chain is up to date. The second one and each later
 * one is remembered.
 */
export const remembered = (
  { event, ...read }: Operation,
  { table }: Surroundings,
  product: SeededProduct,
): Operation => ({
  ...read,
  title: `${read.title}, remembered`,
  event: () => {
    noteFollowing(table, contractsOfProduct(table, product))
    return event()
  },
})

/**
 * A read of the NFTs of a wallet that has just moved one of them: what is kept cannot be used, so that each read asks
 * the indexer and keeps its answer.
 */
export const kept = (
  read: Operation,
  surroundings: Surroundings,
  product: SeededProduct,
  wallet: string,
): Operation => {
  const { event } = remembered(read, surroundings, product)
  return {
    ...read,
    title: `${read.title}, kept`,
    event: () => {
      const key = movementKey(toAddress(wallet), { chain, address: collection })
      const movement = { block: { N: '1' }, at: { N: String(Date.now()) } }
      surroundings.table.put({ ...itemKey(key), ...movement })
      return event()
    },
  }
}

function contractsOfProduct(table: MemoryTable, { productId }: SeededProduct): Address[] {
  const { pk, prefix } = contractsOf(productId as ProductId)
  return [...table.range(pk, { prefix })]
    .map((item) => contractFromKey(keyOf(item).sk))
    .filter((contract) => contract.chain === chain)
    .map(({ address }) => address)
}

/** Puts into the table what the follower notes of a chain that it has read up to now, and what readers lease. */
export function noteFollowing(
  table: MemoryTable,
  contracts: readonly Address[] = [collection],
): void {
  const now = Date.now()
  table.put({
    ...itemKey(followKey(chain)),
    head: { M: { ...block(now), hash: { S: `0x${'5eed'.repeat(16)}` } } },
    confirmedUpTo: { N: String(now) },
    distrustedBefore: { N: '0' },
    askedAt: { N: String(now) },
  })
  for (const address of contracts) {
    table.put({
      ...itemKey(followedContractKey({ chain, address })),
      leasedUntil: { N: String(now + 24 * hour) },
      since: { M: block(now - 24 * hour) },
    })
  }
}

/** A block of a chain with one block in two seconds. */
const block = (at: number): Item => ({
  number: { N: String(Math.floor(at / 2_000)) },
  at: { N: String(at) },
})
