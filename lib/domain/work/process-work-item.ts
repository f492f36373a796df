import type { Contract, ContractWithRanges } from '../nft/nft.ts'
import type { Contracts } from '../ports/allowlist.ts'
import { maxNftsPerCall } from '../ports/indexer.ts'
import {
  type DeletedItems,
  type DeleteProductPorts,
  deleteEndedProduct,
} from '../product/delete-product.ts'
import type { ProductId } from '../product/product.ts'
import { countPending, type RefreshPorts } from '../refresh/refresh.ts'
import { refreshBatch } from '../refresh/refresh-batch.ts'
import { lookedAt, nextStart, type RefreshState } from '../refresh/refresh-state.ts'
import { type Deadline, lastStepMilliseconds } from '../time-budget.ts'
import type { ProductWork } from './work-item.ts'

export type WorkPorts = RefreshPorts & DeleteProductPorts

/**
 * Processes one item of background work for a product until `until`, and sends the rest as a new item. A work item
 * may arrive twice, late or out of order, and its worker may die half-way, so each item is checked
 * against the current state of the table. Returns what was deleted of a product, if anything was.
 */
export async function processWorkItem(
  item: ProductWork,
  until: Deadline,
  ports: WorkPorts,
): Promise<DeletedItems | undefined> {
  const { continuesAfterSeconds, deleted } = await processPart(item, until, ports)
  if (continuesAfterSeconds !== undefined) await ports.workQueue.send(item, continuesAfterSeconds)
  return deleted
}

/** Processes a part of an item; returns when the rest must be processed, if anything is left. */
async function processPart(item: ProductWork, until: Deadline, ports: WorkPorts) {
  if (item.kind === 'deleteProduct') return await deleteEndedProduct(item.productId, until, ports)
  const isDone =
    item.kind === 'sweep'
      ? await sweep(item.productId, item.contract, until, ports)
      : await continueRefresh(item, until, ports)
  return isDone ? {} : { continuesAfterSeconds: 0 }
}

/** A contract with its current ranges, if it is still connected by the same connection. */
async function connected(productId: ProductId, contract: Contract, contracts: Contracts) {
  const current = await contracts.get(productId, contract)
  return current?.bindingId === contract.bindingId ? current : undefined
}

async function sweep(
  productId: ProductId,
  contract: Contract,
  until: Deadline,
  { contracts, allowedTokenIds }: WorkPorts,
): Promise<boolean> {
  // The request to unbind died before its last step: the entries of the connection are in use.
  if (await connected(productId, contract, contracts)) return true
  const { isDone } = await allowedTokenIds.sweep(contract.bindingId, until)
  return isDone
}

type RefreshItem = Extract<ProductWork, { kind: 'refresh' }>

async function continueRefresh(item: RefreshItem, until: Deadline, ports: WorkPorts) {
  const { productId, contract, refreshId, eventId } = item
  let current = await connected(productId, contract, ports.contracts)
  if (!current) return true
  const begunAt = Date.now()
  let state = await ports.refreshes.get(productId, contract)
  while (state?.refreshId === refreshId && state.pending !== 0 && Date.now() < until) {
    if (await isStopped(item, state, ports)) return true
    const next = await afterBatch(current, state, { until, begunAt }, ports)
    const advanced = await ports.refreshes.advance(productId, contract, state, next)
    // The request or another delivery was faster, and may have ended: continue from its state.
    state = advanced ? next : await ports.refreshes.get(productId, contract)
    if (current.ranges.length > 0 && state?.pending !== 0) {
      // A request can change the ranges, or unbind the contract, between two batches.
      current = await connected(productId, contract, ports.contracts)
      if (!current) return true
    }
  }
  if (state?.refreshId !== refreshId) return true
  if (eventId !== undefined) await ports.events.settle(productId, eventId, 'done', state.checked)
  return state.pending === 0
}

/** Checks the next NFTs of a refresh, and returns its state after that. */
async function afterBatch(
  contract: ContractWithRanges,
  state: RefreshState,
  { until, begunAt }: { until: Deadline; begunAt: number },
  ports: WorkPorts,
): Promise<RefreshState> {
  const limits = { size: maxNftsPerCall, deadline: until + lastStepMilliseconds, begunAt }
  const step = await refreshBatch(contract, state, limits, ports)
  const checkedNow = step.state.checked - state.checked
  const pending = state.pending ?? (await countPending(contract, state, until, ports))
  const max = ports.maxNftsPerRefresh ?? Number.POSITIVE_INFINITY
  const isFull = step.more && lookedAt(step.state) >= max
  return {
    ...step.state,
    pending: step.more && !isFull ? Math.max(1, pending - checkedNow) : 0,
    ...(isFull && nextStart(step.state)),
  }
}

/** Whether the product has ended, or an operator has stopped it: that ends the refresh, and the next one checks its NFTs (D38, D45). */
async function isStopped(
  { productId, contract, eventId }: RefreshItem,
  state: RefreshState,
  { productAccess, refreshes, events }: WorkPorts,
): Promise<boolean> {
  const product = await productAccess.get(productId)
  // Everything of a product that has ended is deleted, the refresh included.
  if (!product || product.endedAt !== undefined) return true
  if (product.stoppedAt === undefined) return false
  if (eventId !== undefined) await events.settle(productId, eventId, 'failed', state.checked)
  await refreshes.abandon(productId, contract, state)
  return true
}
