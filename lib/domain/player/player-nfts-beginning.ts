import type { KeepingPorts } from '../holdings/known-contracts.ts'
import type { BegunPositions } from '../holdings/read-chains.ts'
import type { ContractWithRanges } from '../nft/nft.ts'
import type { AllowedTokenIds, Contracts, FindAllowed } from '../ports/allowlist.ts'
import type { Indexer } from '../ports/indexer.ts'
import type { ProductId } from '../product/product.ts'
import type { AcceptedAge } from '../reading/freshness.ts'

/** The reads of a request for a player's NFTs that need only its product, and have begun. */
export interface PlayerNftsBeginning {
  contracts: Promise<readonly ContractWithRanges[]>
  /** How far the chains are read on which contracts are kept; absent if nothing that is kept may be used. */
  positions?: BegunPositions
  /** Finds allowlisted NFTs; those that the player had last are looked up already (D96). */
  findAllowed?: FindAllowed
}

export interface BeginningPorts {
  contracts: Pick<Contracts, 'list'>
  allowedTokenIds: Pick<AllowedTokenIds, 'expected'>
  keeping?: Pick<KeepingPorts, 'keptChains' | 'keptHoldings'> | undefined
  indexer: Pick<Indexer, 'prepare'>
}

/**
 * Begins the reads that need only the product, so that they run beside the reads of the product and of the player. So
 * the indexer can be asked, or what is kept can be looked for, as soon as the player is known. Where nothing that is kept
 * can answer, the indexer is prepared too.
 */
export function beginPlayerNfts(
  caller: { productId: ProductId; userId: number; acceptedAge: AcceptedAge },
  { contracts, allowedTokenIds, keeping, indexer }: BeginningPorts,
): PlayerNftsBeginning {
  const { productId, userId, acceptedAge } = caller
  const list = neededLater(contracts.list(productId))
  if (!keeping || acceptedAge.refusesKept) {
    indexer.prepare()
    return { contracts: list }
  }
  const { keptChains, keptHoldings } = keeping
  const positions = keptChains.map(
    (chain) => [chain, neededLater(keptHoldings.position(chain, false))] as const,
  )
  const findAllowed = allowedTokenIds.expected(`${productId} ${userId}`)
  return { contracts: list, positions: new Map(positions), findAllowed }
}

/** A read that can fail before the request needs it, or without being needed at all. */
function neededLater<Result>(read: Promise<Result>): Promise<Result> {
  read.catch(() => undefined)
  return read
}
