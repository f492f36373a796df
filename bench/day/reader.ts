import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import { everyTokenId } from '../../lib/domain/allowlist/token-ranges.ts'
import type { BindingId, ContractWithRanges } from '../../lib/domain/nft/nft.ts'
import {
  type PlayerNftsPorts,
  type PlayerNftsQuery,
  type ResponseForm,
  readPlayerNfts,
} from '../../lib/domain/player/player-nfts.ts'
import { beginPlayerNfts } from '../../lib/domain/player/player-nfts-beginning.ts'
import type { KeptReadings } from '../../lib/domain/ports/kept-readings.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import type { RememberingSettings } from '../../lib/domain/reading/freshness.ts'
import type { FollowedTable } from '../../test/support/remembered-model/followed-table.ts'
import { memoryKeptReadings } from '../../test/support/remembered-model/memory-kept-readings.ts'
import { chain } from '../scenario/products.ts'
import type { DayClock } from './day-clock.ts'
import type { DayWorld } from './day-world.ts'
import { atOnce } from './follower.ts'
import { type Reason, reasonOf } from './reasons.ts'

/** The reads since the previous time. */
interface Reads {
  reads: number
  asked: Record<Reason, number>
  outdated: number
}

/** Reads the NFTs of players with one wallet each. */
interface DayReader {
  read(wallet: number): Promise<void>
  take(): Reads
}

const noReads = (): Reads => ({
  reads: 0,
  asked: { new: 0, age: 0, moved: 0, settling: 0, doubt: 0 },
  outdated: 0,
})

/** A reader for a product whose allowlist has every NFT of the contracts. */
export function dayReader(
  world: DayWorld,
  { now }: DayClock,
  table: FollowedTable,
  settings: RememberingSettings & { followPollSeconds: number },
): DayReader {
  let counts = noReads()
  let found: Awaited<ReturnType<KeptReadings['find']>> | undefined
  const followed = { ...settings, followedChains: [chain] as const }
  const keptReadings = memoryKeptReadings(table, followed, now, atOnce)
  const indexer: DayWorld['indexer'] = {
    ownedNfts(query) {
      if (found) counts.asked[reasonOf(found, settings)] += 1
      return world.indexer.ownedNfts(query)
    },
  }
  const noting: KeptReadings = {
    ...keptReadings,
    async find(...query) {
      found = await keptReadings.find(...query)
      return found
    },
  }
  // A response in one part needs no cursor, and an allowlist of all NFTs is not asked for single ones.
  const needed: Omit<PlayerNftsPorts, 'contracts' | 'cursors' | 'allowedTokenIds'> = {
    indexer,
    chainBlocks: world.chainEvents,
    keptReadings: noting,
    remembering: settings,
  }
  const contracts = { list: async () => contractsOf(world) }
  const allowedTokenIds = { expected: () => undefined }
  const ports = { ...needed, contracts, allowedTokenIds } as unknown as PlayerNftsPorts
  const unprepared = { prepare: () => undefined }
  const begin = () =>
    beginPlayerNfts(
      { productId, acceptedAge: {} },
      { contracts, keptReadings: noting, indexer: unprepared },
    )
  // What happened before may be unknown to a reader.
  const allowedLag = (settings.settlingSeconds + settings.followPollSeconds) * 1_000

  return {
    async read(wallet) {
      counts.reads += 1
      found = undefined
      const { entries } = await readPlayerNfts(
        { ...queryOf(world, wallet, now()), begun: begin() },
        form,
        ports,
      )
      const { tokenIds, movedAt } = world.holdingsOf(wallet)
      const isRight = entries.length === tokenIds.size && entries.every((id) => tokenIds.has(id))
      if (!isRight && now() - movedAt > allowedLag) counts.outdated += 1
    },
    take() {
      const taken = counts
      counts = noReads()
      return taken
    },
  }
}

const form: ResponseForm<TokenId> = {
  render: ({ tokenId }) => ({ entry: tokenId, size: 1 }),
  maxSize: Number.POSITIVE_INFINITY,
}

const productId = 'day' as ProductId

const contractsOf = ({ contracts }: DayWorld): ContractWithRanges[] =>
  contracts.map((address) => ({
    chain,
    address,
    bindingId: `of ${address}` as BindingId,
    ranges: [everyTokenId],
  }))

const queryOf = (
  { wallets }: DayWorld,
  index: number,
  now: number,
): Omit<PlayerNftsQuery, 'begun'> => {
  const [wallet] = wallets.slice(index)
  return {
    operation: 'getRawMetadata',
    productId,
    player: { userId: index, username: `player_${index}`, wallets: wallet ? [wallet] : [] },
    deadline: now + 29_000,
  }
}
