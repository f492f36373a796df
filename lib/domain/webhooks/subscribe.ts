import { TooManyWebhookContracts } from '../failures.ts'
import { type ContractKey, contractKeyOf } from '../nft/nft.ts'
import { contractsWithEvents } from '../nft-events/read-nft-events.ts'
import { watchContracts } from '../nft-events/watch-contracts.ts'
import type { ProductId } from '../product/product.ts'
import type { DeliveryPorts, DeliverySettings } from './delivery-ports.ts'
import { wakeWebhooks } from './wake.ts'
import { isSubscribed } from './webhook-state.ts'

/**
 * Has webhooks told of the contracts of a product, or of none if no webhook wants events, and wakes its webhooks (D121). `subscribed`: what is known of
 * its subscriptions; those that are not wanted any more end. `begins`: whether a webhook is about to begin.
 */
export async function visitProduct(
  productId: ProductId,
  visit: { subscribed?: readonly ContractKey[] | undefined; begins?: boolean },
  ports: DeliveryPorts,
  settings: DeliverySettings,
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
  const contracts = isWanted ? await watched(productId, ports, settings) : []
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
async function watched(productId: ProductId, ports: DeliveryPorts, settings: DeliverySettings) {
  const { followed } = await contractsWithEvents(productId, ports, settings)
  const contracts = followed.slice(0, settings.webhookContracts)
  const positions = await ports.nftEventLog.positions(settings.followedChains)
  const { webhookContracts } = settings
  try {
    const time = { now: ports.now(), positions }
    await watchContracts(contracts, time, ports, { webhookContracts, isPushed: true })
  } catch (error) {
    // The deployment has no room now. The next visit tries again.
    if (!(error instanceof TooManyWebhookContracts)) throw error
  }
  return contracts
}
