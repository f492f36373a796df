import { TooManyWebhookContracts } from '../failures.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { LoggedPart, NftEventLog, WatchLease } from '../ports/nft-event-log.ts'

/** The most contracts of a deployment whose events are logged. */
const maxWatchedContracts = 1_000

/** How long a contract is watched after a read, and how much of that is left when a read renews it, in milliseconds. */
const watchMilliseconds = 24 * 3_600_000
const renewalMilliseconds = 23 * 3_600_000

/**
 * Has the events of the contracts of a product logged for a day, with a write at most once an hour. Returns the leases of before. Throws
 * TooManyWebhookContracts: if the deployment has no room, after those that are watched already stay so. `now`: milliseconds since 1970.
 * `webhookContracts`: the maximum for each product.
 */
export async function watchContracts(
  contracts: readonly ContractKey[],
  { now, positions }: { now: number; positions: ReadonlyMap<Chain, LoggedPart> },
  { nftEventLog }: { nftEventLog: NftEventLog },
  { webhookContracts, isPushed = false }: { webhookContracts: number; isPushed?: boolean },
): Promise<readonly WatchLease[]> {
  if (contracts.length > webhookContracts) throw tooManyOfProduct(contracts, webhookContracts)
  const leases = await nftEventLog.leases(contracts)
  const added = leases.filter(({ watchedUntil }) => watchedUntil <= now).length
  const all = [...positions.values()].reduce((sum, position) => sum + position.contracts, 0)
  const hasRoom = added === 0 || all + added <= maxWatchedContracts
  const left = (index: number): number => {
    const { watchedUntil = 0, pushedUntil = 0 } = leases[index] ?? {}
    return (isPushed ? Math.min(watchedUntil, pushedUntil) : watchedUntil) - now
  }
  const isDue = (index: number): boolean =>
    left(index) < renewalMilliseconds && (hasRoom || (leases[index]?.watchedUntil ?? 0) > now)
  const due = contracts.filter((_, index) => isDue(index))
  await nftEventLog.watch(due, { until: now + watchMilliseconds, isPushed })
  if (hasRoom) return leases
  throw new TooManyWebhookContracts(
    `The events of ${maxWatchedContracts} contracts are logged in this service, and there is no room for ${added} more.`,
  )
}

const tooManyOfProduct = (contracts: readonly ContractKey[], max: number) =>
  new TooManyWebhookContracts(
    `Events are for ${max} contracts; this product has ${contracts.length}.`,
  )
