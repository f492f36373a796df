import type { Address } from '../../lib/domain/nft/address.ts'
import { give } from '../indexer/holdings.ts'
import {
  addCollection,
  type CollectionDescription,
  createWorld,
  type Network,
  type SourceAnswer,
  setBalance,
  type World,
} from '../indexer/world.ts'
import { curios } from './sample-curios.ts'
import {
  contentId,
  crate,
  equipment,
  keeper,
  lantern,
  postcard,
  vessel,
} from './sample-metadata.ts'
import { sampleSmartAccounts } from './sample-smart-accounts.ts'
import { foundersGear, numbers, type SampleCollection, sampleAddress, samples } from './samples.ts'

const { collections, players, serviceToken } = samples

/** Unsolicited NFTs in the players' wallets, which the sample product does not allowlist. */
const postcards: SampleCollection = {
  chain: 'POLYGON',
  address: sampleAddress('Gull Harbour Postcards'),
  kind: 'ERC721',
  name: 'Gull Harbour Postcards',
  tokenIds: [],
}

/**
 * Creates the world of {@link samples}. The sample product does not allowlist all of its NFTs. `genesis` is that of
 * {@link createWorld}.
 */
export function sampleWorld(genesis?: string): World {
  const world = createWorld(genesis)
  for (const description of descriptions) addCollection(world, description)
  fillWallets(world)
  addSmartAccounts(world)
  setServiceTokenBalances(world)
  return world
}

/** The network of the indexer on which a sample contract is. */
export const networkOf = ({ chain }: Pick<SampleCollection, 'chain'>): Network =>
  chain === 'BSC' ? 'bnb-mainnet' : 'polygon-mainnet'

const describe = (
  sample: SampleCollection,
  rest: Omit<CollectionDescription, 'network' | 'address' | 'tokenType' | 'name'>,
): CollectionDescription => ({
  network: networkOf(sample),
  address: sample.address,
  tokenType: sample.kind,
  name: sample.name,
  ...rest,
})

/** Returns a source of documents for the tokens 1 to `last`. */
const upTo =
  (last: number, document: (tokenId: number) => SourceAnswer) =>
  (tokenId: string): SourceAnswer | undefined => {
    const number = Number(tokenId)
    return number >= 1 && number <= last ? document(number) : undefined
  }

/** Returns the source of documents for tokens that are minted later. */
const later = (document: (tokenId: number) => SourceAnswer) => (tokenId: string) =>
  document(Number(tokenId))

const under = (folder: string) => (tokenId: string) => `${folder}/${tokenId}.json`

/** The number of lanterns before any is minted. */
const lanternCount = 10_000

const host = 'https://metadata.brindlewake.example'
const kinds = upTo(24, equipment)

const descriptions: readonly CollectionDescription[] = [
  describe(collections.keepers, {
    totalSupply: 600,
    tokenUri: under(`ipfs://${contentId('keepers')}`),
    metadata: upTo(600, keeper),
    minted: later(keeper),
  }),
  describe(collections.gear, {
    totalSupply: 25,
    tokenUri: under(`${host}/gear`),
    metadata: (tokenId) => (tokenId === foundersGear ? equipment(0) : kinds(tokenId)),
    minted: later(equipment),
  }),
  describe(collections.curios, {
    totalSupply: curios.length,
    tokenUri: (tokenId) => curios[Number(tokenId) - 1]?.tokenUri ?? '',
    metadata: (tokenId) => curios[Number(tokenId) - 1]?.answer,
  }),
  describe(collections.lanterns, {
    totalSupply: lanternCount,
    tokenUri: under(`${host}/lanterns`),
    metadata: upTo(lanternCount, lantern),
    minted: later(lantern),
  }),
  describe(collections.vessels, {
    totalSupply: 150,
    tokenUri: under(`${host}/vessels`),
    metadata: upTo(150, vessel),
    minted: later(vessel),
  }),
  describe(collections.crates, {
    totalSupply: 6,
    tokenUri: under(`ipfs://${contentId('crates')}`),
    metadata: upTo(6, crate),
  }),
  describe(postcards, {
    totalSupply: 9999,
    tokenUri: under('https://postcards.gullharbour.example'),
    metadata: upTo(9999, postcard),
  }),
]

const [oneWallet] = players.oneWallet.wallets
const [hot, cold, cabinet] = players.threeWallets.wallets
const [largeWallet] = players.largeWallet.wallets
const { deployed, notDeployed } = sampleSmartAccounts

/**
 * What wallets hold. The smart accounts have NFTs on both chains, of which only those of their own are their player's. The Harbour Office,
 * which is no player, has all lanterns, so that the indexer lists them as NFTs of the contract.
 */
const holdings: readonly (readonly [
  SampleCollection,
  wallet: Address | undefined,
  tokenIds: readonly string[],
])[] = [
  [collections.keepers, oneWallet, ['7', '19', '42', '512']],
  [collections.gear, oneWallet, ['2', '3', '4', '6', '9', foundersGear]],
  [collections.vessels, oneWallet, ['12', '31']],
  [collections.crates, oneWallet, ['1', '4']],
  [postcards, oneWallet, ['880']],
  [collections.keepers, hot, ['3', '55']],
  [collections.gear, hot, ['1', '2', '8']],
  [collections.crates, hot, ['2']],
  [collections.keepers, cold, numbers(60, 66)],
  [collections.gear, cold, ['2', '17']],
  [collections.vessels, cold, ['5', '6', '7', '8']],
  [collections.curios, cabinet, numbers(1, curios.length)],
  [postcards, cabinet, ['881', '882']],
  [collections.keepers, largeWallet, numbers(101, 300)],
  [collections.gear, largeWallet, numbers(1, 24)],
  [collections.vessels, largeWallet, numbers(51, 130)],
  [collections.keepers, deployed.address, ['21', '34']],
  [collections.gear, deployed.address, ['5']],
  [collections.vessels, deployed.address, ['40']],
  [collections.vessels, notDeployed.address, ['41', '42']],
  [collections.crates, notDeployed.address, ['3']],
  [collections.keepers, notDeployed.address, ['35']],
  [collections.lanterns, sampleAddress('Harbour Office'), numbers(1, lanternCount)],
]

/** Gives the wallets their NFTs: 1 to 5 of each ERC-1155 token, 1 of each ERC-721 token. */
function fillWallets(world: World): void {
  for (const [{ kind, address, ...sample }, wallet, tokenIds] of holdings) {
    for (const tokenId of wallet ? tokenIds : []) {
      const amount = kind === 'ERC1155' ? (BigInt(tokenId) % 5n) + 1n : 1n
      give(world, { network: networkOf(sample), address, tokenId }, `${wallet}`, amount)
    }
  }
}

function addSmartAccounts(world: World): void {
  for (const { address, code, accepts, deployment, chain } of [deployed, notDeployed]) {
    const account = { code, accepts, ...(deployment && { deployment }) }
    world[networkOf({ chain })].accounts.set(address, account)
  }
}

/** Sets the balances in the smallest unit of the service token, 10^-18. */
function setServiceTokenBalances(world: World): void {
  const balances: readonly (readonly [wallet: string | undefined, balance: bigint])[] = [
    [oneWallet, 1_284_500_000_000_000_000_000n],
    [hot, 250_750_000_000_000_000_000n],
    [cold, 100_000_000_000_000_000n],
    [cabinet, 1n],
    [largeWallet, 98_213_123_456_789_012_345_678n],
  ]
  const network = networkOf(serviceToken)
  for (const [wallet, balance] of balances) {
    if (wallet) setBalance(world, { network, address: serviceToken.address, wallet }, balance)
  }
}
