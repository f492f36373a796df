import type { Address } from './address.ts'
import type { Contract } from './allowlist.ts'
import { type Chain, isRetired } from './chain.ts'
import { ContractNotConnected, IndexerUnavailable } from './failures.ts'
import { maxNftsPerCall } from './indexer-limits.ts'
import type { IndexedNft } from './owned-nft.ts'
import type { AllowedTokenIds, Contracts, Indexer, Refreshes, WorkQueue } from './ports.ts'
import type { ProductId } from './product.ts'
import type { RefreshState } from './refresh-state.ts'
import {
  countReserveMilliseconds,
  type Deadline,
  handOverSeconds,
  lastStartMilliseconds,
  refreshReserveMilliseconds,
} from './time-budget.ts'

/** The most NFTs that are looked at before the answer (D31). */
const maxNftsBeforeAnswer = 200

/** What one request has to tell of the refresh of one contract. */
export interface ContractRefresh {
  contract: Contract
  state: RefreshState & { pending: number }
  /** The NFTs that this request found changed, as they are now. */
  changed: IndexedNft[]
}

export interface RefreshPorts {
  contracts: Contracts
  allowedTokenIds: AllowedTokenIds
  indexer: Indexer
  refreshes: Refreshes
  workQueue: WorkQueue
}

/**
 * Refreshes the metadata of what a product allowlisted under a contract, on one chain or on every one
 * where the product has it (4.7, D31): up to 200 NFTs before the answer, the rest in the background.
 * Where it was done within 15 minutes, the answer is what is known of that time.
 */
export async function refreshProductContract(
  productId: ProductId,
  { address, chain }: { address: Address; chain?: Chain | undefined },
  deadline: Deadline,
  ports: RefreshPorts,
): Promise<ContractRefresh[]> {
  const connected = (await ports.contracts.list(productId)).filter(
    (contract) => contract.address === address && (!chain || contract.chain === chain),
  )
  if (connected.length === 0) throw new ContractNotConnected({ address, chain })
  const refreshes: ContractRefresh[] = []
  let room = maxNftsBeforeAnswer
  for (const contract of connected) {
    const refresh = await refreshContract(productId, contract, room, deadline, ports)
    room -= refresh.begun ? refresh.state.checked : 0
    refreshes.push(refresh)
  }
  return refreshes
}

async function refreshContract(
  productId: ProductId,
  contract: Contract,
  room: number,
  deadline: Deadline,
  ports: RefreshPorts,
): Promise<ContractRefresh & { begun: boolean }> {
  if (isRetired(contract.chain)) return { contract, begun: false, ...nothingToRefresh(contract) }
  const begun = await ports.refreshes.begin(productId, contract)
  if (begun) {
    const refresh = await refreshNow(productId, contract, begun, room, deadline, ports)
    return { contract, begun: true, ...refresh }
  }
  const known = await ports.refreshes.get(productId, contract)
  // The one that was in the way has failed meanwhile.
  if (!known) throw new IndexerUnavailable('a refresh at the same time has failed')
  const pending = known.pending ?? (await countPending(contract, known, deadline, ports))
  return { contract, begun: false, state: { ...known, pending }, changed: [] }
}

/** The indexer knows nothing of a retired chain any more (D11). */
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
})

async function refreshNow(
  productId: ProductId,
  contract: Contract,
  begun: RefreshState,
  room: number,
  deadline: Deadline,
  ports: RefreshPorts,
): Promise<Pick<ContractRefresh, 'state' | 'changed'>> {
  try {
    const { state, changed, more } = await refreshInTime(contract, begun, room, deadline, ports)
    // The message goes first: a crash after it leaves the background to do everything.
    if (more) {
      const { refreshId } = state
      const item = { kind: 'refresh', productId, contract, refreshId } as const
      await ports.workQueue.send(item, handOverSeconds)
    }
    const pending = more ? await countPending(contract, state, deadline, ports) : 0
    const report = { ...state, pending }
    await ports.refreshes.advance(productId, contract, begun, report)
    return { state: report, changed }
  } catch (error) {
    // Nobody may go on with it, so it must not be in the way of the next one.
    await ports.refreshes.abandon(productId, contract, begun.refreshId)
    throw error
  }
}

/** Looks at as many NFTs as there is room and time for. */
async function refreshInTime(
  contract: Contract,
  begun: RefreshState,
  room: number,
  deadline: Deadline,
  ports: RefreshPorts,
): Promise<Batch> {
  const until = deadline - lastStartMilliseconds
  const changed: IndexedNft[] = []
  let state = begun
  let more = true
  try {
    while (more && state.checked < room && Date.now() < until) {
      const size = Math.min(maxNftsPerCall, room - state.checked)
      const batch = await refreshBatch(
        contract,
        state,
        size,
        deadline - refreshReserveMilliseconds,
        ports,
      )
      state = batch.state
      more = batch.more
      changed.push(...batch.changed)
    }
  } catch (error) {
    // What was looked at counts, on this chain or another; the background tries the rest again.
    const isFirst = state.checked === 0 && room === maxNftsBeforeAnswer
    if (!(error instanceof IndexerUnavailable) || isFirst) throw error
  }
  return { state, changed, more }
}

/** At least so many: the answer does not wait for the last of millions. */
const countPending = (
  { bindingId }: Contract,
  state: RefreshState,
  deadline: Deadline,
  { allowedTokenIds }: RefreshPorts,
) =>
  allowedTokenIds.count(bindingId, { ...after(state), until: deadline - countReserveMilliseconds })

/** A further part of a refresh. */
export interface Batch {
  state: RefreshState
  changed: IndexedNft[]
  /** Whether there are more after it. */
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
  // One more than is looked at tells whether there are more.
  const range = { ...after(state), limit: size + 1 }
  const listed = await allowedTokenIds.list(contract.bindingId, range)
  const tokenIds = listed.slice(0, size)
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
    more: listed.length > size,
  }
}

const after = ({ position }: RefreshState) => (position ? { after: position } : {})

const isUnavailable = ({ metadata }: IndexedNft) => metadata.fault === 'not_available'

const differs = (a: IndexedNft, b: IndexedNft): boolean =>
  a.metadata.text !== b.metadata.text ||
  a.metadata.fault !== b.metadata.fault ||
  a.metadataLink !== b.metadataLink
