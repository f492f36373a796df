import { type Branded, branded } from '../branded.ts'
import type { Address } from './address.ts'
import { type Chain, chains } from './chain.ts'

/** A smart account, which counts on one chain: its address, a colon and the id of the chain, such as `0x…:8453`. */
type ChainWallet = Branded<'ChainWallet'>

/** A wallet of a player: an address on all chains, or a smart account on its chain. Equal wallets are equal texts. */
export type Wallet = Address | ChainWallet

/** The wallet of an address: on one chain, or without a chain id on all of them. */
export const walletAt = (address: Address, chainId?: number): Wallet =>
  chainId === undefined ? address : branded<ChainWallet>(`${address}:${chainId}`)

export const addressOf = (wallet: Wallet): Address => branded(wallet.split(':')[0] ?? '')

const isAddress = (wallet: Wallet): wallet is Address => !wallet.includes(':')

/** The id of the only chain on which a wallet counts; `undefined` if it counts on all. */
export function chainIdOf(wallet: Wallet): number | undefined {
  const [, chainId] = wallet.split(':')
  return chainId === undefined ? undefined : Number(chainId)
}

/** The addresses of the wallets that count on a chain, each once. */
export function addressesOn(chain: Chain, wallets: readonly Wallet[]): readonly Address[] {
  if (wallets.every(isAddress)) return wallets
  const { chainId } = chains[chain]
  const counting = wallets.filter((wallet) => (chainIdOf(wallet) ?? chainId) === chainId)
  return [...new Set(counting.map(addressOf))]
}
