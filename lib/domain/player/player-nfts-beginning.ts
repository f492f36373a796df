import type { ContractWithRanges } from '../nft/nft.ts'
import type { Contracts } from '../ports/allowlist.ts'
import type { Indexer } from '../ports/indexer.ts'
import type { ChainPositions, KeptReadings } from '../ports/kept-readings.ts'
import type { ProductId } from '../product/product.ts'
import { type AcceptedAge, acceptsKept } from '../reading/freshness.ts'

/** The reads of a request for a player's NFTs that need only its product, and have begun. */
export interface PlayerNftsBeginning {
  /** The contracts of the product. */
  contracts: Promise<readonly ContractWithRanges[]>
  /** How far the followed chains are read; absent if nothing that is kept may be used. */
  positions?: Promise<ChainPositions>
}

export interface BeginningPorts {
  contracts: Pick<Contracts, 'list'>
  keptReadings: Pick<KeptReadings, 'isOn' | 'positions'>
  indexer: Pick<Indexer, 'prepare'>
}

/**
 * Begins the reads that need only the product, so that they run beside the reads of the product and of the player. So
 * the indexer can be asked, or what is kept can be looked for, as soon as the player is known. Where nothing that is kept
 * can answer, the indexer is prepared too.
 */
export function beginPlayerNfts(
  { productId, acceptedAge }: { productId: ProductId; acceptedAge: AcceptedAge },
  { contracts, keptReadings, indexer }: BeginningPorts,
): PlayerNftsBeginning {
  const mayUseKept = keptReadings.isOn && acceptsKept(acceptedAge)
  if (!mayUseKept) indexer.prepare()
  return {
    contracts: neededLater(contracts.list(productId)),
    ...(mayUseKept && { positions: neededLater(keptReadings.positions()) }),
  }
}

/** A read that can fail before the request needs it, or without being needed at all. */
export function neededLater<Result>(read: Promise<Result>): Promise<Result> {
  read.catch(() => undefined)
  return read
}
