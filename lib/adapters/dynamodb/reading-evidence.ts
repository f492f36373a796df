import * as v from 'valibot'
import type { Address } from '../../domain/nft/address.ts'
import type { ContractEvidence, Evidence } from '../../domain/reading/freshness.ts'
import type { ReadingScope } from '../../domain/reading/kept-reading.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { fieldUpdate } from './field-update.ts'
import {
  followedContractItem,
  leaseMarginMilliseconds,
  leaseMilliseconds,
  leaseRenewalMilliseconds,
  movementItem,
} from './follow-items.ts'
import { followedContractKey } from './keys/follow-partition.ts'
import type { Key } from './keys/key.ts'
import { refreshKey } from './keys/product-partition.ts'
import { movementKey } from './keys/wallet-partition.ts'
import { refreshActivity } from './refreshes.ts'
import type { Table } from './table.ts'

/** How far a followed chain is read. */
interface Position {
  confirmedUpTo: number
  distrustedBefore: number
  step?: number | undefined
}

/**
 * The keys of the evidence about a contract for the readings of a scope: of its refresh (4.7) and, on a followed chain,
 * of what the follower has noted.
 */
function keysOf({ productId, chain, owner }: ReadingScope, address: Address, isFollowed: boolean) {
  const key = { chain, address }
  const refresh = refreshKey(productId, key)
  return isFollowed ? [refresh, followedContractKey(key), movementKey(owner, key)] : [refresh]
}

/** The keys of the evidence about the readings of a scope. `position`: on a followed chain. */
export const evidenceKeys = (scope: ReadingScope, position: Position | undefined): Key[] =>
  scope.contracts.flatMap((address) => keysOf(scope, address, position !== undefined))

/**
 * The evidence about the readings of a scope in the items of its keys; without these, all of it is in doubt. Renews
 * the leases of followed contracts beside the request.
 */
export function evidenceIn(
  table: Table,
  scope: ReadingScope,
  position: Position | undefined,
  itemAt: ((key: Key) => Record<string, unknown> | undefined) | undefined,
): Evidence {
  const now = Date.now()
  if (!itemAt) return { now, refreshedAt: now, ...(position && { chain: doubt }) }
  const rows = scope.contracts.map((address) => {
    const [refresh, followed, movement] = keysOf(scope, address, position !== undefined).map(itemAt)
    return { address, refresh, followed, movement }
  })
  const refreshes = rows.flatMap(({ refresh }) => (refresh ? [refreshActivity(refresh, now)] : []))
  const evidence = { now, refreshedAt: latestOf(refreshes) }
  if (!position) return evidence
  const contracts = rows.map(({ address, followed = {} }) => ({
    address,
    followed: followedOf(followed),
  }))
  renewLeases(table, scope, contracts, now)
  const movements = rows.flatMap(({ movement }) => (movement ? [movedAt(movement)] : []))
  const chain = {
    ...position,
    contracts: contracts.map(({ followed }) => contractEvidence(followed, now)),
    movedAt: latestOf(movements),
  }
  return { ...evidence, chain }
}

const doubt = { confirmedUpTo: Number.NEGATIVE_INFINITY, distrustedBefore: 0, contracts: [] }

const latestOf = (times: readonly number[]): number | undefined =>
  times.length > 0 ? Math.max(...times) : undefined

type FollowedContract = Omit<v.InferOutput<typeof followedContractItem>, 'sk'>

/** An item that is missing or damaged is that of a contract that is not followed. */
function followedOf(item: Record<string, unknown>): FollowedContract {
  const { success, output } = v.safeParse(followedContractItem, item)
  return success ? output : { leasedUntil: 0 }
}

function movedAt(item: Record<string, unknown>): number {
  const { success, output } = v.safeParse(movementItem, item)
  return success ? output.at : Number.POSITIVE_INFINITY
}

function contractEvidence(
  { leasedUntil, since, suspendedUntil = 0, metadataChangedAt }: FollowedContract,
  now: number,
): ContractEvidence {
  const isFollowed = leasedUntil - now > leaseMarginMilliseconds && suspendedUntil <= now
  return {
    followedSince: isFollowed ? since?.at : undefined,
    followedStep: since?.step,
    metadataChangedAt,
  }
}

/** Asks the follower to follow contracts for a day from now. */
function renewLeases(
  { client, name: TableName }: Table,
  { chain }: ReadingScope,
  contracts: readonly { address: Address; followed: FollowedContract }[],
  now: number,
): void {
  const margin = now + leaseMarginMilliseconds
  const leasedUntil = now + leaseMilliseconds
  // The item stays longer than the readings that its notes concern.
  const expiresAt = Math.ceil((leasedUntil + leaseMilliseconds) / 1_000)
  for (const { address, followed } of contracts) {
    if (followed.leasedUntil - now >= leaseRenewalMilliseconds) continue
    const isLapsing = followed.leasedUntil <= margin
    const update = fieldUpdate({
      set: { leasedUntil, expiresAt },
      remove: isLapsing ? ['since'] : [],
      conditions: [['leasedUntil', isLapsing ? 'absent or <=' : '>', margin]],
    })
    const Key = followedContractKey({ chain, address })
    const command = new UpdateCommand({ TableName, Key, ...update })
    downstreamCalls.beside(unlessConditionFails(client.send(command)))
  }
}
