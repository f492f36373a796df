import type { Address } from '../../../domain/nft/address.ts'
import type { ContractKey } from '../../../domain/nft/nft.ts'
import type { Key } from './key.ts'

const walletPartition = (owner: Address): string => `WALLET#${owner}`

/** What is kept of the balances of a wallet (D156). */
export const keptBalancesOf = (owner: Address) => ({
  pk: walletPartition(owner),
  prefix: 'BALANCE#',
})

/** Who has a wallet that signs in by itself (D98). */
export const walletOwnerKey = (address: Address): Key => ({
  pk: walletPartition(address),
  sk: 'OWNER',
})

/** The kept balance of a token in a wallet (D156). */
export const keptBalanceKey = (owner: Address, { chain, address }: ContractKey): Key => ({
  pk: walletPartition(owner),
  sk: `BALANCE#${chain}#${address}`,
})
