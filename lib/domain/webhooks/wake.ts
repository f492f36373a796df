import { TooManyWebhookContracts } from '../failures.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import { type ContractKey, contractKeyOf } from '../nft/nft.ts'
import { contractsWithEvents } from '../nft-events/read-nft-events.ts'
import { watchContracts } from '../nft-events/watch-contracts.ts'
import type { ProductId } from '../product/product.ts'
import { someAtOnce } from '../some-at-once.ts'
import type { DeliveryPorts } from './delivery-ports.ts'
import type { Webhook } from './webhook.ts'
import { isDelivering, isSubscribed } from './webhook-state.ts'

/** By how much a message can be late until another one takes its place, in milliseconds. */
const lateMilliseconds = 15 * 60_000

type WakePorts = Pick<DeliveryPorts, 'webhooks' | 'webhookQueue' | 'subscribers' | 'now' | 'newId'>

/** Wakes the webhooks of all products that are subscribed to contracts of which events were logged (D122). */
export async function wakeSubscribers(
  chain: Chain,
  contracts: readonly Address[],
  ports: WakePorts,
): Promise<void> {
  const found = await Promise.all(
    contracts.map((address) => ports.subscribers.of({ chain, address })),
  )
  await someAtOnce([...new Set(found.flat())], productsAtOnce, async (productId) => {
    await wakeWebhooks(productId, await ports.webhooks.list(productId), ports)
  })
}

/** How many products are looked at together: a contract can have hundreds. */
const productsAtOnce = 20

/**
 * Sees to it that each webhook that delivers has a message in the queue: its ticket is written before, so that none is
 * lost.
 */
export async function wakeWebhooks(
  productId: ProductId,
  webhooks: readonly Webhook[],
  { webhooks: stored, webhookQueue, now, newId }: WakePorts,
): Promise<void> {
  for (const { webhookId } of webhooks.filter(isDelivering)) {
    const sign = { ticket: newId(), now: now() }
    const woken = await stored.wake(productId, webhookId, sign)
    const isNew = woken?.ticket === sign.ticket
    if (isNew || (woken && (await isReplaced(woken)))) {
      await webhookQueue.send({ kind: 'deliver', productId, webhookId, ticket: sign.ticket })
    }

    /** Gives a webhook whose message is late the new ticket; returns whether it has it. */
    async function isReplaced(webhook: Webhook) {
      const { ticketAt = 0, nextAttemptAt = 0, leasedUntil = 0, fence } = webhook
      const dueAt = Math.max(ticketAt, nextAttemptAt, leasedUntil)
      if (sign.now - dueAt < lateMilliseconds) return false
      const set = { ticket: sign.ticket, ticketAt: sign.now }
      return (await stored.change(productId, webhookId, { set }, { fence })) !== undefined
    }
  }
}

/** Sends a message for each product with webhooks on the followed chains: what was lost of them is then found, and their subscriptions are renewed. */
export async function sweepWebhooks({
  subscribers,
  webhookQueue,
  settings,
}: DeliveryPorts): Promise<void> {
  // Also those without a contract on these chains: they may connect one.
  const products = await subscribers.products()
  const subscribed = new Map<ProductId, ContractKey[]>(products.map((each) => [each, []]))
  for (const chain of settings.followedChains) {
    for (const { productId, address } of await subscribers.all(chain)) {
      const contracts = subscribed.get(productId) ?? []
      subscribed.set(productId, [...contracts, { chain, address }])
    }
  }
  await someAtOnce([...subscribed], productsAtOnce, ([productId, contracts]) =>
    webhookQueue.send({ kind: 'product', productId, subscribed: contracts }),
  )
}

/**
 * Has webhooks told of the contracts of a product, or of none if no webhook wants events, and wakes its webhooks (D121). `subscribed`: what is known of
 * its subscriptions; those that are not wanted any more end. `begins`: whether a webhook is about to begin.
 */
export async function visitProduct(
  productId: ProductId,
  visit: { subscribed?: readonly ContractKey[] | undefined; begins?: boolean },
  ports: DeliveryPorts,
): Promise<void> {
  const { subscribed, begins = false } = visit
  const now = ports.now()
  const known = subscribed ?? []
  const [product, webhooks] = await Promise.all([
    ports.productAccess.get(productId),
    ports.webhooks.list(productId),
  ])
  const isActive = product !== undefined && product.endedAt === undefined
  // Also if all are paused: what lets them go on may not get as far as its message.
  const isFound = isActive && (begins || webhooks.length > 0)
  const isWanted = isActive && (begins || webhooks.some((each) => isSubscribed(each, now)))
  const contracts = isWanted ? await watched(productId, ports) : []
  const subscriptionOf = (contract: ContractKey) => ({
    productId,
    contract: contractKeyOf(contract),
  })
  // The sweep knows its products. Others name some that it may not know, and most of these have no webhooks.
  const isListed = subscribed !== undefined
  if (isWanted && !isListed) await ports.subscribers.addProduct(productId)
  if (!isFound && isListed) await ports.subscribers.removeProduct(productId)
  const [before, after] = [keysOf(known), keysOf(contracts)]
  const added = contracts.filter((contract) => !before.has(keyOf(contract)))
  await ports.subscribers.add(added.map(subscriptionOf))
  const ended = known.filter((contract) => !after.has(keyOf(contract)))
  await ports.subscribers.remove(ended.map(subscriptionOf))
  if (isActive) await wakeWebhooks(productId, webhooks, ports)
}

const keyOf = ({ chain, address }: ContractKey): string => `${chain} ${address}`

const keysOf = (contracts: readonly ContractKey[]): Set<string> => new Set(contracts.map(keyOf))

/** Has the events of the contracts of a product logged: of the first, if it has too many. */
async function watched(productId: ProductId, ports: DeliveryPorts) {
  const { followed } = await contractsWithEvents(productId, ports, ports.settings)
  const { webhookContracts, followedChains } = ports.settings
  const contracts = followed.slice(0, webhookContracts)
  const positions = await ports.nftEventLog.positions(followedChains)
  try {
    const time = { now: ports.now(), positions }
    await watchContracts(contracts, time, ports, { webhookContracts, isPushed: true })
  } catch (error) {
    // The deployment has no room now. The next visit tries again.
    if (!(error instanceof TooManyWebhookContracts)) throw error
  }
  return contracts
}
