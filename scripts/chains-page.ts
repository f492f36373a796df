import {
  type Chain,
  chainNames,
  chains,
  chainsOpenByDefault,
  defaultChain,
  mistakenNames,
} from '../lib/domain/nft/chain.ts'
import { table } from '../openapi/reference/markdown.ts'

/** A place in which values of the table were read. */
interface Source {
  readonly title: string
  readonly url: string
  /** The date that the source states, or else the one on which a copy without a date was read. */
  readonly asOf: string
}

const viem = 'https://github.com/wevm/viem/blob/0912a29d5c7abbea5238d6f7c3d750f07d479ace/src/chains'
const read = 'read on 2026-11-22, undated'

/** Where the usual time between two blocks was read. */
const blockSources = {
  Alchemy: { title: 'page of each chain', url: 'https://www.alchemy.com/rpc', asOf: read },
  Avalanche: {
    title: 'ACP-226, a lower bound: validators can lower the time',
    url: 'https://build.avax.network/docs/acps/226-dynamic-minimum-block-times',
    asOf: read,
  },
  'BNB Chain': {
    title: 'Fermi, a lower bound',
    url: 'https://docs.bnbchain.org/announce/fermi-bsc',
    asOf: read,
  },
  Ronin: {
    title: 'Flashblocks, a lower bound',
    url: 'https://docs.roninchain.com/developers/network/flashblocks',
    asOf: read,
  },
  viem: { title: 'a lower bound', url: `${viem}/definitions/arbitrum.ts`, asOf: '2026-08-22' },
} as const satisfies Record<string, Source>

/** What the page says of a chain beside its row: its usual name, and its sources. */
interface Facts {
  readonly title: string
  /** The name of viem's file, which has the chain id. */
  readonly definition: string
  /** Absent for a chain that cannot be opened, of which nobody asks for blocks. */
  readonly blocks?: keyof typeof blockSources
}

const facts: Readonly<Record<Chain, Facts>> = {
  AMOY: { title: 'Polygon Amoy', definition: 'polygonAmoy', blocks: 'Alchemy' },
  ARBITRUM: { title: 'Arbitrum One', definition: 'arbitrum', blocks: 'viem' },
  ARBITRUM_SEPOLIA: {
    title: 'Arbitrum Sepolia',
    definition: 'arbitrumSepolia',
    blocks: 'viem',
  },
  AVALANCHE: { title: 'Avalanche C-Chain', definition: 'avalanche', blocks: 'Avalanche' },
  BASE: { title: 'Base', definition: 'base', blocks: 'Alchemy' },
  BASE_SEPOLIA: { title: 'Base Sepolia', definition: 'baseSepolia', blocks: 'Alchemy' },
  BSC: { title: 'BNB Smart Chain', definition: 'bsc', blocks: 'BNB Chain' },
  BSC_TESTNET: { title: 'BNB’s test network', definition: 'bscTestnet' },
  ETHEREUM: { title: 'Ethereum', definition: 'mainnet', blocks: 'Alchemy' },
  FUJI: { title: 'Avalanche Fuji', definition: 'avalancheFuji', blocks: 'Avalanche' },
  MUMBAI: {
    title: 'Polygon’s former test network, until April 2024',
    definition: 'polygonMumbai',
  },
  OPTIMISM: { title: 'OP Mainnet', definition: 'optimism', blocks: 'Alchemy' },
  OPTIMISM_SEPOLIA: { title: 'OP Sepolia', definition: 'optimismSepolia', blocks: 'Alchemy' },
  POLYGON: { title: 'Polygon PoS', definition: 'polygon', blocks: 'Alchemy' },
  RONIN: { title: 'Ronin', definition: 'ronin', blocks: 'Ronin' },
  SAIGON: { title: 'Ronin Saigon', definition: 'saigon', blocks: 'Ronin' },
  SEPOLIA: { title: 'Ethereum Sepolia', definition: 'sepolia', blocks: 'Alchemy' },
}

const openByDefault: readonly Chain[] = chainsOpenByDefault

/** docs/chains.md: every chain, how it is named, whether it is open, and where its values were read. */
export const chainsPage = (): string => `# Which chains

The blockchains that the service supports, for developers of games and for operators.

- Contracts can be allowlisted on the chains that the operator has [opened](changes.md#open-or-add-a-chain) with the setting
  \`allowlistChains\`, by default ${chainsOpenByDefault.map(code).join(' and ')}. Without a chain, allowlisting uses ${code(defaultChain)}.
- Reading, filtering and unbinding accept every chain of this page, so entries on a chain that was closed stay visible and can be removed.
- A player's NFTs leave out chains that the indexer does not cover, and a refresh checks nothing there.

## Main networks

${tableOf(isMain)}

## Test networks

${tableOf((chain) => !isMain(chain))}

"Also called" has the names that a request must not use: the message of the 400 says which one it means, as in
\`ETH is called ETHEREUM here\`. It knows chain ids and networks of the indexer too.

Alchemy's pages of BNB Smart Chain and Ronin do not list the NFT API: test Ronin with your key before you open it, and BSC, which is open by default, before you use it.

## Sources

\`npm run generate\` writes this page from [chain.ts](../lib/domain/nft/chain.ts) and [chains-page.ts](../scripts/chains-page.ts).

${sourcesTable()}
`

const isMain = (chain: Chain): boolean => chains[chain].kind === 'main'

/** The chains of a kind: those that are open by default first, and those that cannot be opened last. */
function tableOf(isShown: (chain: Chain) => boolean): string {
  const order = (chain: Chain): number => Object.values(openings).indexOf(openingOf(chain))
  const shown = chainNames.filter(isShown).toSorted((one, other) => order(one) - order(other))
  return table(
    ['name', 'chain', 'also called', 'chain id', 'open', 'network', 'seconds between blocks'],
    shown.map(cellsOf),
  )
}

const openings = {
  open: 'by default',
  covered: 'if the operator opens it',
  uncovered: 'never: the indexer does not cover it',
  retired: 'never: it was shut down',
} as const

const openingOf = (chain: Chain) =>
  openings[openByDefault.includes(chain) ? 'open' : chains[chain].coverage]

function cellsOf(chain: Chain): string[] {
  const { chainId, network, blockSeconds, coverage } = chains[chain]
  const { title, definition, blocks } = facts[chain]
  const others = Object.entries(mistakenNames).filter(([, meant]) => meant === chain)
  return [
    code(chain),
    title,
    others.map(([name]) => code(name)).join(', '),
    `[${chainId}](${viem}/definitions/${definition}.ts)`,
    openingOf(chain),
    coverage === 'covered' ? code(network) : '',
    blocks ? `${blockSeconds} (${blocks})` : '',
  ]
}

function sourcesTable(): string {
  const blocks = Object.entries<Source>(blockSources).map(([name, source]) => [
    `seconds between blocks: ${name}`,
    linkTo(source),
    source.asOf,
  ])
  const ids = { title: "viem's definition of each chain", url: `${viem}/definitions` }
  const networks = {
    title: "Alchemy's nft.yaml",
    url: 'https://github.com/alchemyplatform/docs/blob/04ac05312ac07955652b190311ed089f02c81015/src/openapi/nft/nft.yaml',
  }
  return table(
    ['value', 'source', 'as of'],
    [
      ['chain id', linkTo(ids), '2026-08-22, commit 0912a29d'],
      ['network of the NFT API', linkTo(networks), '2026, commit 04ac0531'],
      ...blocks,
    ],
  )
}

const linkTo = ({ title, url }: Omit<Source, 'asOf'>): string => `[${title}](${url})`
const code = (text: string): string => `\`${text}\``
