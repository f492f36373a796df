import { keptOnceAnHour } from '../../lib/adapters/dynamodb/keeping/token-metadata.ts'
import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import type { KeepingPorts } from '../../lib/domain/holdings/known-contracts.ts'
import { lookUpMetadata, showMetadata } from '../../lib/domain/metadata/show-metadata.ts'
import {
  type PlayerNftsPorts,
  type ResponseForm,
  readPlayerNfts,
} from '../../lib/domain/player/player-nfts.ts'
import { beginPlayerNfts } from '../../lib/domain/player/player-nfts-beginning.ts'
import { chain } from '../scenario/products.ts'
import type { DayChain } from './day-chain.ts'
import type { DayPlace } from './day-processes.ts'
import { productId } from './day-table.ts'
import type { DayIndexer } from './day-world.ts'

/** The reads since the previous time. */
export interface Reads {
  reads: number
  /** The reads that showed what had changed longer ago than is permitted. */
  outdated: number
}

const noReads = (): Reads => ({ reads: 0, outdated: 0 })

const form: ResponseForm<TokenId> = {
  render: ({ tokenId }) => ({ entry: tokenId, size: 1 }),
  maxSize: Number.POSITIVE_INFINITY,
}

/** Reads the NFTs of players with one wallet each, for a product whose allowlist has every NFT of the contracts. */
export function dayReader(
  world: DayChain,
  place: DayPlace,
  { indexer }: DayIndexer,
  { allowedLag, metadataSeconds }: { allowedLag: number; metadataSeconds: number },
): { read(wallet: number): Promise<void>; take(): Reads } {
  const { now } = place.time
  const keeping = keepingPorts(place, indexer, metadataSeconds)
  const contracts = { list: async () => [...place.contracts] }
  // A response in one part needs no cursor, and an allowlist of all NFTs is not asked for single ones.
  const allowedTokenIds = { expected: () => async () => [] }
  const ports = { indexer, keeping, contracts, allowedTokenIds } as unknown as PlayerNftsPorts
  const unprepared = { prepare: () => undefined }
  let counts = noReads()

  async function read(index: number): Promise<TokenId[]> {
    const wallets = world.wallets.slice(index, index + 1)
    const query = {
      ...{ operation: 'getRawMetadata', productId, deadline: now() + 29_000 },
      player: { userId: index, username: `player_${index}`, wallets },
    }
    const beginning = { contracts, allowedTokenIds, keeping, indexer: unprepared }
    const begun = beginPlayerNfts({ productId, userId: index, acceptedAge: {} }, beginning)
    return (await readPlayerNfts({ ...query, begun }, form, ports)).entries
  }

  return {
    async read(index) {
      const entries = await read(index)
      counts.reads += 1
      const { tokens, movedAt } = world.holdingsOf(world.wallets[index] as DayChain['wallets'][0])
      const isRight = entries.length === tokens.size && entries.every((id) => tokens.has(id))
      if (!isRight && now() - movedAt > allowedLag) counts.outdated += 1
    },
    take() {
      const taken = counts
      counts = noReads()
      return taken
    },
  }
}

function keepingPorts(
  { time: { now }, table }: DayPlace,
  indexer: DayIndexer['indexer'],
  metadataSeconds: number,
): KeepingPorts {
  const { keptHoldings, notedReads, tokenMetadata } = table
  const ports = { tokenMetadata, indexer, now }
  return {
    ...{ keptChains: [chain], keptContracts: 50, keptHoldings, notedReads },
    texts: {
      lookUp: (nfts, maxBytes) => lookUpMetadata(nfts, maxBytes, tokenMetadata),
      describe: (nfts, context) => showMetadata(nfts, { ...context, metadataSeconds }, ports),
    },
    keepFetched: keptOnceAnHour(tokenMetadata),
  }
}
