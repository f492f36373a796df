import type { Address } from '../../../domain/nft/address.ts'
import { chainNameOf } from '../../../domain/nft/chain.ts'
import type { ContractKey } from '../../../domain/nft/nft.ts'
import { addressOf, chainIdOf, type Wallet } from '../../../domain/nft/wallet.ts'
import type { Key } from './key.ts'

const walletPartition = (owner: Address): string => `WALLET#${owner}`

/** What is kept of the balances of a wallet on the chains on which it counts (D156). */
export const keptBalancesOf = (wallet: Wallet) => {
  const chainId = chainIdOf(wallet)
  return {
    pk: walletPartition(addressOf(wallet)),
    prefix: chainId === undefined ? 'BALANCE#' : `BALANCE#${chainNameOf(chainId)}#`,
  }
}

/** Who has a wallet that signs in by itself (D98): that of an address, or that of its account on a chain. */
export const walletOwnerKey = (wallet: Wallet): Key => {
  const chainId = chainIdOf(wallet)
  return {
    pk: walletPartition(addressOf(wallet)),
    sk: chainId === undefined ? 'OWNER' : `OWNER#${chainId}`,
  }
}

/** The kept balance of a token in a wallet (D156). */
export const keptBalanceKey = (owner: Address, { chain, address }: ContractKey): Key => ({
  pk: walletPartition(owner),
  sk: `BALANCE#${chain}#${address}`,
})
