import type { Address } from '../../../domain/nft/address.ts'
import type { Chain } from '../../../domain/nft/chain.ts'
import type { ContractKey } from '../../../domain/nft/nft.ts'
import type { ReadingId, ReadingScope } from '../../../domain/reading/kept-reading.ts'
import type { Key } from './key.ts'

const walletPartition = (owner: Address): string => `WALLET#${owner}`

/**
 * The readings of one scope that are kept for cursors, in the partition of the wallet (D88). Their sort keys end with
 * the reading id; `run` is the digest of the contracts.
 */
export const keptReadingsOf = (
  { productId, chain, owner }: Pick<ReadingScope, 'productId' | 'chain' | 'owner'>,
  run: string,
) => ({ pk: walletPartition(owner), prefix: `READING#${productId}#${chain}#${run}#` })

/** The latest kept reading of one scope (D88): its key is known without the reading id. */
export const latestReadingKey = (
  { productId, chain, owner }: Pick<ReadingScope, 'productId' | 'chain' | 'owner'>,
  run: string,
): Key => ({ pk: walletPartition(owner), sk: `READING#LATEST#${productId}#${chain}#${run}` })

/**
 * What belongs to one reading of a scope and is kept apart from it (D91): its parts, and what it was when a request has
 * left it. The content determines the digest.
 */
export const keptPartKey = (
  { productId, chain, owner }: Pick<ReadingScope, 'productId' | 'chain' | 'owner'>,
  run: string,
  kind: 'PART' | 'BEGUN',
  { id, digest }: { id: ReadingId; digest: string },
): Key => ({
  pk: walletPartition(owner),
  sk: `READING#${kind}#${productId}#${chain}#${run}#${id}#${digest}`,
})

/** The partition of a wallet, and the beginnings of the sort keys of what is kept of it (D65). */
export const keptOf = (owner: Address) => ({
  pk: walletPartition(owner),
  prefixes: ['READING#', 'BALANCE#'],
})

/** Who has a wallet that signs in by itself (D98). */
export const walletOwnerKey = (address: Address): Key => ({
  pk: walletPartition(address),
  sk: 'OWNER',
})

/** The kept balance of a token in a wallet (D65). */
export const keptBalanceKey = (owner: Address, { chain, address }: ContractKey): Key => ({
  pk: walletPartition(owner),
  sk: `BALANCE#${chain}#${address}`,
})

/** The latest movement of a contract's NFTs from or to a wallet (D66). */
export const movementKey = (owner: Address, { chain, address }: ContractKey): Key => ({
  pk: walletPartition(owner),
  sk: `MOVED#${chain}#${address}`,
})

/** The movements of a wallet on a chain. */
export const movementsOf = (owner: Address, chain: Chain) => ({
  pk: walletPartition(owner),
  prefix: `MOVED#${chain}#`,
})
