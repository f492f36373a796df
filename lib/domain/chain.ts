/** Every known chain, by its name in the API (D11). */
export const chains = {
  AMOY: { chainId: 80002, retired: false },
  BSC: { chainId: 56, retired: false },
  BSC_TESTNET: { chainId: 97, retired: false },
  MUMBAI: { chainId: 80001, retired: true },
  POLYGON: { chainId: 137, retired: false },
} as const

/** A chain's name in the API: upper case, one of the keys of {@link chains}. */
export type Chain = keyof typeof chains

/** All chain names, in the order of their names. */
export const chainNames = Object.keys(chains).sort() as [Chain, ...Chain[]]

/** The default chain of allowlisting (D12). */
export const defaultChain = 'POLYGON' satisfies Chain

/** Whether a text is the name of a known chain; names are upper case (D11). */
export const isChain = (text: string): text is Chain => Object.hasOwn(chains, text)

/** Whether a chain was shut down: its entries are kept, and the indexer is never called for it (D11). */
export const isRetired = (chain: Chain): boolean => chains[chain].retired
