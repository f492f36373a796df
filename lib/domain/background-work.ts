import type { Contract } from './allowlist.ts'
import { maxNftsPerCall } from './indexer-limits.ts'
import type { Contracts } from './ports.ts'
import type { ProductId } from './product.ts'
import { type RefreshPorts, refreshBatch } from './refresh.ts'
import { type Deadline, lastStepMilliseconds } from './time-budget.ts'
import type { WorkItem } from './work.ts'

/**
 * Does one piece of background work until `until`, and sends the rest on as a new item. A work item
 * may arrive twice, late or out of order, and its worker may die half-way: each is judged by what the
 * table says now.
 */
export async function work(item: WorkItem, until: Deadline, ports: RefreshPorts): Promise<void> {
  const done =
    item.kind === 'sweep'
      ? await sweep(item.productId, item.contract, until, ports)
      : await goOnRefreshing(item, until, ports)
  if (!done) await ports.workQueue.send(item, 0)
}

/** Whether a connection of a contract is still the one in force. */
async function isConnected(productId: ProductId, contract: Contract, contracts: Contracts) {
  const current = await contracts.get(productId, contract)
  return current?.bindingId === contract.bindingId
}

async function sweep(
  productId: ProductId,
  contract: Contract,
  until: Deadline,
  { contracts, allowedTokenIds }: RefreshPorts,
): Promise<boolean> {
  // The unbinding died before it took effect: what hangs on the connection is in use.
  if (await isConnected(productId, contract, contracts)) return true
  return await allowedTokenIds.sweep(contract.bindingId, until)
}

async function goOnRefreshing(
  { productId, contract, refreshId }: Extract<WorkItem, { kind: 'refresh' }>,
  until: Deadline,
  ports: RefreshPorts,
): Promise<boolean> {
  if (!(await isConnected(productId, contract, ports.contracts))) return true
  let state = await ports.refreshes.get(productId, contract)
  while (state?.refreshId === refreshId && state.pending !== 0) {
    if (Date.now() >= until) return false
    const step = await refreshBatch(
      contract,
      state,
      maxNftsPerCall,
      until + lastStepMilliseconds,
      ports,
    )
    const looked = step.state.checked - state.checked
    const known =
      state.pending ?? (await ports.allowedTokenIds.count(contract.bindingId, { until }))
    const left = step.more ? Math.max(1, known - looked) : 0
    const next = { ...step.state, pending: left }
    const advanced = await ports.refreshes.advance(productId, contract, state, next)
    // Whoever was faster, the answer or another delivery, may be gone by now: go on from there.
    state = advanced ? next : await ports.refreshes.get(productId, contract)
  }
  return true
}
