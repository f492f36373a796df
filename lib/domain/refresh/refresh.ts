import { isEverything } from '../allowlist/token-ranges.ts'
import { ContractNotConnected, IndexerUnavailable } from '../failures.ts'
import { CallsSpent } from '../limit/reservation.ts'
import type { Address } from '../nft/address.ts'
import { type Chain, isCovered } from '../nft/chain.ts'
import type { Contract, ContractWithRanges } from '../nft/nft.ts'
import type { DescribedNft, IndexedNft } from '../nft/owned-nft.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import { type Indexer, maxNftsPerCall } from '../ports/indexer.ts'
import type { ProductEvents } from '../ports/products.ts'
import type { Refreshes } from '../ports/refreshes.ts'
import type { WorkQueue } from '../ports/work-queue.ts'
import type { Actor } from '../product/product-event.ts'
import { recordChange } from '../product/record-change.ts'
import {
  countReserveMilliseconds,
  type Deadline,
  handOverSeconds,
  lastStartMilliseconds,
  refreshReserveMilliseconds,
} from '../time-budget.ts'
import type { RefreshedMetadataPorts } from './keep-refreshed.ts'
import { type Batch, refreshBatch } from './refresh-batch.ts'
import { lookedAt, type RefreshState } from './refresh-state.ts'

/** The maximum number of NFTs that a request checks before it responds (D31). */
const maxNftsBeforeAnswer = 200

export interface ContractRefresh {
  contract: Contract
  state: RefreshState & { pending: number }
  changed: IndexedNft[]
  /** The NFTs whose metadata this request could not get from its source. */
  failed: DescribedNft[]
}

export interface RefreshPorts {
  contracts: Contracts
  allowedTokenIds: AllowedTokenIds
  indexer: Indexer
  refreshes: Refreshes
  events: ProductEvents
  workQueue: WorkQueue
  refreshedMetadata?: RefreshedMetadataPorts | undefined
  /** The maximum number of NFTs that one refresh checks; absent: all (D47). */
  maxNftsPerRefresh?: number | undefined
}

/**
 * Refreshes the metadata of the NFTs that a product allowlisted under a contract, on one chain or on
 * every chain where the contract is connected (4.7, D31): up to 200 NFTs before the response, the rest
 * in the background. For a refresh within the last 15 minutes, returns its state. Each refresh that starts
 * is recorded (D49). Throws ContractNotConnected.
 */
export async function refreshProductContract(
  actor: Actor,
  { address, chain }: { address: Address; chain?: Chain | undefined },
  deadline: Deadline,
  ports: RefreshPorts,
): Promise<ContractRefresh[]> {
  ports.indexer.prepare()
  const connected = (await ports.contracts.list(actor.productId)).filter(
    (contract) => contract.address === address && (!chain || contract.chain === chain),
  )
  if (connected.length === 0) throw new ContractNotConnected({ address, chain })
  const refreshes: ContractRefresh[] = []
  let room = maxNftsBeforeAnswer
  for (const contract of connected) {
    const refresh = await refreshContract(actor, contract, room, deadline, ports)
    room -= refresh.started ? lookedAt(refresh.state) : 0
    refreshes.push(refresh)
  }
  return refreshes
}

async function refreshContract(
  actor: Actor,
  contract: ContractWithRanges,
  room: number,
  deadline: Deadline,
  ports: RefreshPorts,
): Promise<ContractRefresh & { started: boolean }> {
  const { productId } = actor
  if (!isCovered(contract.chain)) return { contract, started: false, ...nothingToRefresh(contract) }
  const started = await ports.refreshes.start(productId, contract)
  if (started) {
    const refresh = await refreshNow(actor, contract, started, room, deadline, ports)
    return { contract, started: true, ...refresh }
  }
  const known = await ports.refreshes.get(productId, contract)
  // The other refresh has failed since.
  if (!known) throw new IndexerUnavailable('a refresh at the same time has failed')
  const pending =
    known.pending ??
    (await countPending(contract, known, deadline - countReserveMilliseconds, ports))
  return { contract, started: false, state: { ...known, pending }, changed: [], failed: [] }
}

/** The indexer is not called for a chain that it does not cover (D56). */
const nothingToRefresh = ({ bindingId }: Contract) => ({
  state: {
    refreshId: '',
    bindingId,
    refreshedAt: new Date().toISOString(),
    checked: 0,
    changed: 0,
    failed: 0,
    pending: 0,
  },
  changed: [],
  failed: [],
})

type RefreshReport = Pick<ContractRefresh, 'state' | 'changed' | 'failed'>

async function refreshNow(
  { productId, keyId }: Actor,
  contract: ContractWithRanges,
  started: RefreshState,
  room: number,
  deadline: Deadline,
  ports: RefreshPorts,
): Promise<RefreshReport> {
  const { chain, address: contractAddress } = contract
  const make = async (eventId: string): Promise<RefreshReport> => {
    const batch = await refreshInTime(contract, started, room, deadline, ports)
    const { state, changed, failed, more } = batch
    // The message is sent first: after a crash the worker checks all NFTs.
    if (more) {
      const { refreshId } = state
      const { ranges: _, ...connection } = contract
      const item = { kind: 'refresh', productId, contract: connection, refreshId, eventId } as const
      await ports.workQueue.send(item, handOverSeconds)
    }
    const left = remaining(state, ports)
    const until = deadline - countReserveMilliseconds
    const pending = more ? Math.min(left, await countPending(contract, state, until, ports)) : 0
    const report = { ...state, pending }
    await ports.refreshes.advance(productId, contract, started, report)
    return { state: report, changed, failed }
  }
  const event = { action: 'refreshMetadata', keyId, chain, contractAddress } as const
  try {
    const countOf = ({ state }: RefreshReport) => state.checked
    return await recordChange(productId, event, { make, countOf }, ports.events)
  } catch (error) {
    // A refresh that does not continue must not prevent the next refresh.
    await ports.refreshes.abandon(productId, contract, started)
    throw error
  }
}

const remaining = (
  state: RefreshState,
  { maxNftsPerRefresh = Number.POSITIVE_INFINITY }: Pick<RefreshPorts, 'maxNftsPerRefresh'>,
): number => Math.max(1, maxNftsPerRefresh - lookedAt(state))

/** Checks NFTs as far as room, time and the indexer calls of the product allow (D78). */
async function refreshInTime(
  contract: ContractWithRanges,
  started: RefreshState,
  room: number,
  deadline: Deadline,
  ports: RefreshPorts,
): Promise<Batch> {
  const until = deadline - lastStartMilliseconds
  const changed: IndexedNft[] = []
  const failed: DescribedNft[] = []
  let state = started
  let more = true
  try {
    while (more && lookedAt(state) < room && Date.now() < until) {
      const size = Math.min(maxNftsPerCall, room - lookedAt(state))
      const limits = {
        size,
        deadline: deadline - refreshReserveMilliseconds,
        begunAt: Date.parse(started.refreshedAt),
      }
      const batch = await refreshBatch(contract, state, limits, ports)
      state = batch.state
      more = batch.more
      changed.push(...batch.changed)
      failed.push(...batch.failed)
    }
  } catch (error) {
    // The checked NFTs count, on this chain or another; the background retries the rest.
    const isFirst = state.checked === 0 && room === maxNftsBeforeAnswer
    const goesOn = error instanceof IndexerUnavailable && !isFirst
    if (!goesOn && !(error instanceof CallsSpent)) throw error
  }
  return { state, changed, failed, more }
}

/** A lower bound. The indexer does not tell how many NFTs follow in the ranges, so they count as one (D59). */
export async function countPending(
  { bindingId, ranges }: ContractWithRanges,
  { position, contractPages }: RefreshState,
  until: Deadline,
  { allowedTokenIds }: Pick<RefreshPorts, 'allowedTokenIds'>,
): Promise<number> {
  if (contractPages || isEverything(ranges)) return 1
  const after = position ? { after: position } : {}
  const singles = await allowedTokenIds.count(bindingId, { ...after, until })
  return ranges.length > 0 ? singles + 1 : singles
}
