import type { Contract } from './allowlist.ts'
import { IndexerUnavailable } from './failures.ts'
import type { IndexedNft } from './owned-nft.ts'
import type { AllowedTokenIds, Deadline, Indexer, Refreshes, WorkQueue } from './ports.ts'
import type { ProductId } from './product.ts'
import type { TokenId } from './token-id.ts'

/** The most NFTs that are looked at before the answer (D31). */
const maxNftsBeforeAnswer = 200

/** How many NFTs the indexer describes in one call. */
const nftsPerCall = 100

/** How long before the deadline no further batch is begun, in milliseconds (D31: 20 s of 25 s). */
const lastBatchMilliseconds = 5_000

/** How long the background waits, so that it finds what the answer has reported, in seconds. */
const handOverSeconds = 5

/** What is known of the refresh of one contract (D31). */
export interface RefreshState {
  refreshId: string
  /** When it was begun, RFC 3339 in UTC. */
  refreshedAt: string
  /** How many NFTs were looked at. */
  checked: number
  /** How many of them have other metadata now. */
  changed: number
  /** How many could not be fetched anew. */
  failed: number
  /** How many are still to be looked at; not known before the first report. */
  pending?: number
  /** The last token identifier that was looked at. */
  position?: TokenId
}

/** What one request's refresh of one contract has to tell. */
export interface RefreshReport {
  state: RefreshState & { pending: number }
  /** The NFTs that this request found changed, as they are now. */
  changed: IndexedNft[]
}

interface RefreshPorts {
  allowedTokenIds: AllowedTokenIds
  indexer: Indexer
  refreshes: Refreshes
  workQueue: WorkQueue
}

/**
 * Refreshes the metadata of what a product allowlisted under some contracts (4.7, D31): up to 200
 * NFTs before the answer, the rest in the background. A contract that was refreshed within 15 minutes
 * answers what is known of that refresh.
 */
export async function refreshContracts(
  productId: ProductId,
  contracts: readonly Contract[],
  deadline: Deadline,
  ports: RefreshPorts,
): Promise<RefreshReport[]> {
  const reports: RefreshReport[] = []
  let room = maxNftsBeforeAnswer
  for (const contract of contracts) {
    const begun = await ports.refreshes.begin(productId, contract)
    const report = begun
      ? await refreshNow(productId, contract, begun, room, deadline, ports)
      : await lastReport(productId, contract, ports)
    if (begun) room -= report.state.checked
    reports.push(report)
  }
  return reports
}

async function refreshNow(
  productId: ProductId,
  contract: Contract,
  begun: RefreshState,
  room: number,
  deadline: Deadline,
  ports: RefreshPorts,
): Promise<RefreshReport> {
  const until = deadline - lastBatchMilliseconds
  const changed: IndexedNft[] = []
  let state = begun
  let batch: Batch | undefined
  try {
    while (batch?.more !== false && state.checked < room && Date.now() < until) {
      const size = Math.min(nftsPerCall, room - state.checked)
      batch = await refreshBatch(contract, state, size, deadline, ports)
      state = batch.state
      changed.push(...batch.changed)
    }
  } catch (error) {
    if (!(error instanceof IndexerUnavailable) || state.checked === 0) {
      await ports.refreshes.abandon(productId, contract, begun.refreshId)
      throw error
    }
    // What was looked at counts; the background tries the rest again.
  }
  const pending = batch?.more === false ? 0 : await countPending(contract, state, ports)
  // The message goes first: a crash after it leaves the background to do everything.
  if (pending > 0) {
    const { refreshId } = state
    await ports.workQueue.send({ kind: 'refresh', productId, contract, refreshId }, handOverSeconds)
  }
  const report = { ...state, pending }
  await ports.refreshes.advance(productId, contract, begun, report)
  return { state: report, changed }
}

async function lastReport(
  productId: ProductId,
  contract: Contract,
  ports: RefreshPorts,
): Promise<RefreshReport> {
  const state = await ports.refreshes.get(productId, contract)
  if (!state) throw new IndexerUnavailable('a refresh has just failed')
  const pending = state.pending ?? (await countPending(contract, state, ports))
  return { state: { ...state, pending }, changed: [] }
}

const countPending = (contract: Contract, state: RefreshState, ports: RefreshPorts) =>
  ports.allowedTokenIds.count(contract.bindingId, after(state))

/** A further part of a refresh. */
export interface Batch {
  state: RefreshState
  changed: IndexedNft[]
  /** Whether there may be more after it. */
  more: boolean
}

/** Looks at up to `size` NFTs after the position of a refresh: what the indexer has, and what the source says now. */
export async function refreshBatch(
  contract: Contract,
  state: RefreshState,
  size: number,
  deadline: Deadline,
  { allowedTokenIds, indexer }: Pick<RefreshPorts, 'allowedTokenIds' | 'indexer'>,
): Promise<Batch> {
  const range = { ...after(state), limit: size }
  const tokenIds = await allowedTokenIds.list(contract.bindingId, range)
  const position = tokenIds.at(-1)
  if (!position) return { state, changed: [], more: false }
  const cached = await indexer.metadata({ contract, tokenIds, anew: false, deadline })
  const current = await indexer.metadata({ contract, tokenIds, anew: true, deadline })
  const failed = current.filter(isUnavailable)
  const changed = current.filter(
    (nft, index) => !isUnavailable(nft) && differs(nft, cached[index] as IndexedNft),
  )
  return {
    state: {
      ...state,
      checked: state.checked + current.length,
      changed: state.changed + changed.length,
      failed: state.failed + failed.length,
      position,
    },
    changed,
    more: tokenIds.length === size,
  }
}

const after = ({ position }: RefreshState) => (position ? { after: position } : {})

const isUnavailable = ({ metadata }: IndexedNft) => metadata.fault === 'not_available'

const differs = (a: IndexedNft, b: IndexedNft): boolean =>
  a.metadata.text !== b.metadata.text ||
  a.metadata.fault !== b.metadata.fault ||
  a.metadataLink !== b.metadataLink
