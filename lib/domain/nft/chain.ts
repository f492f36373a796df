/**
 * Whether the indexer has the NFTs of a chain. An `uncovered` chain exists elsewhere; a `retired` one was shut down.
 */
type Coverage = 'covered' | 'uncovered' | 'retired'

interface ChainRow {
  readonly chainId: number
  /** The name of the chain's network at the indexer. */
  readonly network: string
  readonly kind: 'main' | 'test'
  /** The usual time between two blocks, in seconds. */
  readonly blockSeconds: number
  readonly coverage: Coverage
}

/** Every known chain, by its name in the API (D56). docs/chains.md has the sources of the values. */
export const chains = {
  AMOY: covered(80_002, 'polygon-amoy', 'test', 2),
  ARBITRUM: covered(42_161, 'arb-mainnet', 'main', 0.25),
  ARBITRUM_SEPOLIA: covered(421_614, 'arb-sepolia', 'test', 0.25),
  AVALANCHE: covered(43_114, 'avax-mainnet', 'main', 2),
  BASE: covered(8453, 'base-mainnet', 'main', 2),
  BASE_SEPOLIA: covered(84_532, 'base-sepolia', 'test', 2),
  BSC: covered(56, 'bnb-mainnet', 'main', 0.45),
  BSC_TESTNET: notCovered(97, 'bnb-testnet', 'test', 0.45, 'uncovered'),
  ETHEREUM: covered(1, 'eth-mainnet', 'main', 12),
  FUJI: covered(43_113, 'avax-fuji', 'test', 2),
  MUMBAI: notCovered(80_001, 'polygon-mumbai', 'test', 2, 'retired'),
  OPTIMISM: covered(10, 'opt-mainnet', 'main', 2),
  OPTIMISM_SEPOLIA: covered(11_155_420, 'opt-sepolia', 'test', 2),
  POLYGON: covered(137, 'polygon-mainnet', 'main', 2),
  RONIN: covered(2020, 'ronin-mainnet', 'main', 2),
  SAIGON: covered(202_601, 'ronin-saigon', 'test', 2),
  SEPOLIA: covered(11_155_111, 'eth-sepolia', 'test', 12),
} satisfies Record<string, ChainRow>

function covered<Network extends string>(
  chainId: number,
  network: Network,
  kind: ChainRow['kind'],
  blockSeconds: number,
) {
  return { chainId, network, kind, blockSeconds, coverage: 'covered' } as const
}

function notCovered(
  chainId: number,
  network: string,
  kind: ChainRow['kind'],
  blockSeconds: number,
  coverage: Exclude<Coverage, 'covered'>,
) {
  return { chainId, network, kind, blockSeconds, coverage }
}

/** A chain's name in the API: upper case, one of the keys of {@link chains}. */
export type Chain = keyof typeof chains

/** The chains whose NFTs the indexer has: a deployment can open these chains. */
export type CoveredChain = {
  [Name in Chain]: (typeof chains)[Name]['coverage'] extends 'covered' ? Name : never
}[Chain]

export type Network = (typeof chains)[CoveredChain]['network']

/** All chain names, in the order of their names. */
// Object.keys does not know the names of the table, nor that there are some.
export const chainNames = Object.keys(chains).sort() as [Chain, ...Chain[]]

/** The default chain of allowlisting (D12). */
export const defaultChain = 'POLYGON' satisfies Chain

/** Whether a text is the name of a known chain; names are upper case (D56). */
export const isChain = (text: string): text is Chain => Object.hasOwn(chains, text)

/** The ids of the chains among some names, by their names. */
export const chainIdsOf = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.filter(isChain).map((name) => [name, chains[name].chainId]))

/**
 * Whether the indexer has the NFTs of a chain. It is never called for any other chain, whose entries are kept (D56).
 */
export const isCovered = (chain: Chain): chain is CoveredChain =>
  chains[chain].coverage === 'covered'

/** The names of the covered chains, in the order of their names. */
// A filter does not know that some remain.
export const coveredChains = chainNames.filter(isCovered) as [CoveredChain, ...CoveredChain[]]

/** Names that callers write in place of those of chains, in upper case with underscores. */
export const mistakenNames: Readonly<Record<string, CoveredChain>> = {
  ARB: 'ARBITRUM',
  ARBITRUM_ONE: 'ARBITRUM',
  AVAX: 'AVALANCHE',
  AVALANCHE_FUJI: 'FUJI',
  BINANCE: 'BSC',
  BINANCE_SMART_CHAIN: 'BSC',
  BNB: 'BSC',
  BNB_CHAIN: 'BSC',
  BNB_SMART_CHAIN: 'BSC',
  ETH: 'ETHEREUM',
  ETHEREUM_SEPOLIA: 'SEPOLIA',
  MAINNET: 'ETHEREUM',
  MATIC: 'POLYGON',
  OP: 'OPTIMISM',
  OP_MAINNET: 'OPTIMISM',
  OP_SEPOLIA: 'OPTIMISM_SEPOLIA',
  POL: 'POLYGON',
  POLYGON_POS: 'POLYGON',
  RON: 'RONIN',
  RONIN_SAIGON: 'SAIGON',
}

/** The chain that a text means by another name, its network at the indexer or its id (D56); else `undefined`. */
export function chainMeantBy(text: string): CoveredChain | undefined {
  const plain = text.toUpperCase().replace(/[\s-]/g, '_')
  if (Object.hasOwn(mistakenNames, plain)) return mistakenNames[plain]
  return coveredChains.find(
    (chain) => text === `${chains[chain].chainId}` || text.toLowerCase() === chains[chain].network,
  )
}

/** The name of the chain with an id; for a chain that is not known, the id. */
export const chainNameOf = (chainId: number): string =>
  chainNames.find((chain) => chains[chain].chainId === chainId) ?? `${chainId}`

/** The chains that a deployment opens for allowlisting by default (D56). */
export const chainsOpenByDefault = ['POLYGON', 'BSC'] as const satisfies readonly Chain[]
