import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { IndexerUnavailable, RateLimited } from '../../../lib/domain/failures.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { OwnedNft } from '../../../lib/domain/nft/owned-nft.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import type { AskedCall } from './reads.ts'
import type { ChainState, SimulatedBlock, SimulatedChain } from './simulated-chain.ts'
import type { SimulatedTime } from './simulated-time.ts'

/** How an indexer behaves, which changes in the course of a history. */
export interface IndexerMood {
  isDown: boolean
  /** Whether the product has exhausted its calls. */
  isRefused: boolean
  /** The greatest age of the blocks that its pages state, in milliseconds; absent if most of them state none. */
  statedAge: number | undefined
  /** The time that the stated block states, or the first time after it. In place of {@link statedAge}. */
  statedFrom?: number | undefined
  /** Whether its data are behind the block that it states, as far as they can be: `random` differs by call. */
  lag: 'none' | 'full' | 'random'
  /** The longest time of a call, in milliseconds. */
  latency: number
}

/** What the responses of an indexer come from. */
export interface IndexedWorld {
  time: SimulatedTime
  chains: ReadonlyMap<Chain, SimulatedChain>
  followedChain: Chain
  indexer: IndexerMood
  /** How far the data can be behind the stated block, in milliseconds. */
  settlingMilliseconds: number
  pageSize: number
  /** How often the metadata of each contract was fetched from its source (4.7). */
  fetches: Map<string, number>
}

/** What an entry shows of its contract's metadata. */
interface ShownMetadata {
  version: number
  fetches: number
}

/** The metadata of an NFT in a response. */
const metadataText = (shown: ShownMetadata): string => JSON.stringify(shown)

export const shownMetadata = ({ metadata }: OwnedNft): ShownMetadata => JSON.parse(metadata.text)

/**
 * An indexer whose pages each state a block, and have the state of the chain at a moment up to the settling time
 * before it, or before the call if it states no block. A page goes on after the last token identifier of the page before.
 */
export function simulatedIndexer(
  world: IndexedWorld,
  note: (call: AskedCall) => void,
): Pick<Indexer, 'ownedNfts' | 'balance'> {
  const { time, chains, fetches, pageSize } = world

  async function call(chain: Chain, owner: Address): Promise<SimulatedChain> {
    await time.sleep(time.between(1, world.indexer.latency))
    const { isDown, isRefused } = world.indexer
    if (isRefused) {
      note({ chain, owner, refused: true })
      throw new RateLimited({ name: 'indexer_calls_by_day', count: 1, perSeconds: 86_400 }, 1)
    }
    if (!isDown) return chains.get(chain) as SimulatedChain
    note({ chain, owner, failed: true })
    throw new IndexerUnavailable('the simulated indexer is down')
  }

  return {
    async ownedNfts({ chain, owner, contracts, pageKey, progress }) {
      const source = await call(chain, owner)
      const stated = statedBlock(world, source)
      const statedAt = stated?.at ?? time.now()
      const unstated = stated || chain !== world.followedChain ? 0 : unstatedMilliseconds
      const madeAt = stated?.madeAt ?? time.now() - unstated
      const { state } = source.tipAt(dataMoment(world, source, madeAt))
      const after = pageKey === undefined ? -1 : Number(pageKey)
      const rest = tokensOf(source, state, owner, contracts).filter((token) => token > after)
      const tokens = rest.slice(0, pageSize)
      const nfts = tokens.map((token): OwnedNft => {
        const address = source.contractOf[token] as Address
        const version = state.versions.get(address) ?? 0
        const shown = { version, fetches: fetches.get(`${chain} ${address}`) ?? 0 }
        const metadata = { text: metadataText(shown) }
        const tokenId = `${token}` as TokenId
        return { chain, address, tokenId, owner, balance: '1', metadataLink: '', metadata }
      })
      note({ chain, owner, statedAt, hasNoBlock: !stated })
      await time.sleep(time.between(1, world.indexer.latency))
      const pages = (progress?.pages ?? 0) + 1
      return {
        nfts,
        ...(stated && { block: { number: stated.number, at: stated.at, hash: stated.hash } }),
        ...(rest.length > pageSize && {
          pageKey: `${tokens.at(-1)}`,
          progress: { ...(progress ?? firstProgress), pages },
        }),
      }
    },
    async balance({ token: { chain }, owner }) {
      const source = await call(chain, owner)
      const { owners } = source.tipAt(time.now()).state
      note({ chain, owner, statedAt: time.now() })
      await time.sleep(time.between(1, world.indexer.latency))
      return BigInt(owners.filter((one) => one === owner).length)
    },
  }
}

/** How much later the data of the followed chain can be in a response that states no block, in milliseconds. */
export const unstatedMilliseconds = 45_000

const firstProgress = { pages: 0, emptyPages: 0, anchor: '' as never, nfts: 0, announced: 0 }

/** The block that a page states; `undefined` if it states none. */
function statedBlock(
  { time, indexer }: IndexedWorld,
  source: SimulatedChain,
): SimulatedBlock | undefined {
  if (indexer.statedFrom !== undefined) return source.firstStating(indexer.statedFrom)
  const { statedAge = time.isOneOf(3) ? 0 : undefined } = indexer
  if (statedAge === undefined) return undefined
  return source.tipAt(time.now() - time.between(0, 2) * (statedAge / 2))
}

/** The moment of the data of a response that states a block that was made at a moment. */
function dataMoment(
  { time, indexer, settlingMilliseconds }: IndexedWorld,
  source: SimulatedChain,
  madeAt: number,
): number {
  const now = time.now()
  if (indexer.lag === 'none') return now
  // Everything that was made up to the settling time before the stated block is in the data.
  const earliest = source.completeAt(madeAt - settlingMilliseconds)
  return indexer.lag === 'full' ? earliest : time.between(earliest, now)
}

/** The tokens of some contracts that a wallet holds, in the order of their identifiers. */
const tokensOf = (
  { contractOf }: SimulatedChain,
  { owners }: ChainState,
  owner: Address,
  contracts: readonly Address[],
): number[] =>
  [...owners.keys()].filter(
    (token) => owners[token] === owner && contracts.includes(contractOf[token] as Address),
  )
