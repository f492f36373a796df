import { CursorExpired } from '../failures.ts'
import { type KeptFinding, partBehind, readKeptPart } from '../holdings/kept-part.ts'
import { eligibleContracts, isUnknown, type KeepingPorts } from '../holdings/known-contracts.ts'
import type { BegunPositions } from '../holdings/read-chains.ts'
import { type ContractWithRanges, contractKeyOf } from '../nft/nft.ts'
import { addressesOn } from '../nft/wallet.ts'
import type { AllowedTokenIds, FindAllowed } from '../ports/allowlist.ts'
import type { ContractRead } from '../ports/contract-use.ts'
import type { ProductId } from '../product/product.ts'
import {
  type AcceptedAge,
  acceptedSeconds,
  acceptedStaleSeconds,
  maxFollowerLagSeconds,
  maxStaleSeconds,
} from '../reading/freshness.ts'
import type { ReadingPosition } from '../reading/reading-position.ts'
import type { Deadline } from '../time-budget.ts'
import type { Player } from './player.ts'

/** A request for a player's NFTs, as far as it matters to what is kept. */
export interface KeptRequest {
  productId: ProductId
  player: Pick<Player, 'wallets'>
  /** The contracts of the request in their order, and those of the product. */
  contracts: readonly ContractWithRanges[]
  listed: readonly ContractWithRanges[]
  accepted: AcceptedAge
  start: ReadingPosition | undefined
  positions: BegunPositions | undefined
  /** In place of the port's, if some look-ups have begun. */
  findAllowed?: FindAllowed | undefined
  limits: { maxEntries: number; maxBytes: number; deadline: Deadline }
}

export interface FindPorts {
  allowedTokenIds: Pick<AllowedTokenIds, 'findAllowed' | 'listIn'>
  keeping?: KeepingPorts | undefined
}

const nothing: KeptFinding = { known: Promise.resolve([]) }

/**
 * What is kept of the contracts of a request, as far as deployment and caller accept its age (D156); for a cursor, of those that were kept
 * when it was given out. Notes which contracts are read. Throws CursorExpired and ServiceUnavailable.
 */
export async function findKept(request: KeptRequest, ports: FindPorts): Promise<KeptFinding> {
  const { start, accepted, contracts } = request
  if (start) {
    const { kept: flags, source, isStale } = start
    if (flags === undefined) return nothing
    if (!ports.keeping) throw new CursorExpired()
    if (source > 0) return { ...nothing, part: partBehind(flags, contracts) }
    const maxAgeSeconds = isStale ? maxStaleSeconds : maxFollowerLagSeconds
    return await read(request, ports, { maxAgeSeconds, isStale })
  }
  const { keeping } = ports
  if (!keeping) return nothing
  if (accepted.refusesKept) {
    // Nothing is read of them for this caller, so they count as known.
    const its = eligible(request, keeping)
    noteReads(
      request,
      its.map((contract) => ({ contract, isUnknown: false })),
      keeping,
    )
    return nothing
  }
  const maxAgeSeconds = Math.min(maxFollowerLagSeconds, acceptedSeconds(accepted))
  const finding = await read(request, ports, { maxAgeSeconds })
  void finding.known.then((all) => {
    const reads = all.map((known) => ({ contract: known.contract, isUnknown: isUnknown(known) }))
    noteReads(request, reads, keeping)
  })
  return finding
}

/**
 * What is kept, because the indexer is down, if that is more than before: as old as the caller accepts. Throws
 * ServiceUnavailable.
 */
export async function findStale(
  request: KeptRequest,
  { part }: KeptFinding,
  ports: FindPorts,
): Promise<KeptFinding | undefined> {
  const maxAgeSeconds = acceptedStaleSeconds(request.accepted)
  if (request.start || !(maxAgeSeconds >= 0)) return undefined
  // A position that could not be read before is read again.
  const anew = { ...request, positions: undefined }
  const finding = await read(anew, ports, { maxAgeSeconds, isStale: true })
  const countOf = (flags = '') => flags.replaceAll('0', '').length
  return countOf(finding.part?.flags) > countOf(part?.flags) ? finding : undefined
}

async function read(
  request: KeptRequest,
  { keeping, allowedTokenIds }: FindPorts,
  { maxAgeSeconds, isStale = false }: { maxAgeSeconds: number; isStale?: boolean | undefined },
): Promise<KeptFinding> {
  if (!keeping) return nothing
  const { player, contracts, positions, start, limits } = request
  const query = {
    ...{ wallets: player.wallets, contracts, positions, limits, maxAgeSeconds, isStale },
    eligible: new Set(eligible(request, keeping)),
    flags: start?.kept,
  }
  const { findAllowed = allowedTokenIds.findAllowed } = request
  const { listIn } = allowedTokenIds
  return await readKeptPart(query, { ...keeping, allowedTokenIds: { findAllowed, listIn } })
}

/** The contracts of a request whose holders may be kept, on the chains on which the player has wallets. */
function eligible(
  { player, contracts, listed }: KeptRequest,
  keeping: KeepingPorts,
): ContractWithRanges[] {
  const first = new Set(eligibleContracts(listed, keeping))
  return [...Map.groupBy(contracts, ({ chain }) => chain)].flatMap(([chain, its]) =>
    addressesOn(chain, player.wallets).length > 0 ? its.filter((each) => first.has(each)) : [],
  )
}

/** Notes reads of contracts, each with one of the wallets that the request is about. */
function noteReads(
  { productId, player: { wallets } }: KeptRequest,
  reads: readonly Pick<ContractRead, 'contract' | 'isUnknown'>[],
  { notedReads }: KeepingPorts,
): void {
  const noted = reads.flatMap(({ contract, isUnknown }) => {
    const counting = addressesOn(contract.chain, wallets)
    const wallet = counting[Math.floor(Math.random() * counting.length)]
    return wallet ? [{ contract: contractKeyOf(contract), productId, wallet, isUnknown }] : []
  })
  if (noted.length > 0) notedReads.note(noted)
}
