import { TooManyWebhookContracts } from '../failures.ts'
import type { Chain } from '../nft/chain.ts'
import {
  chainsOfRefused,
  contractsWithEvents,
  type NftEventPorts,
  type NftEventSettings,
} from '../nft-events/read-nft-events.ts'
import type { NftEventLog } from '../ports/nft-event-log.ts'
import type { ProductId } from '../product/product.ts'

/** Which contracts of a product have no events now, in milliseconds since 1970. */
export async function contractsWithoutEvents(
  productId: ProductId,
  now: number,
  ports: Pick<NftEventPorts, 'contracts'> & { nftEventLog: Pick<NftEventLog, 'leases'> },
  settings: NftEventSettings,
): Promise<{ notFollowed: Chain[]; contractsOverLimit: boolean }> {
  const { followed, notFollowed } = await contractsWithEvents(productId, ports, settings)
  const watched = followed.slice(0, settings.webhookContracts)
  const leases = await ports.nftEventLog.leases(watched)
  return {
    notFollowed: [...notFollowed, ...chainsOfRefused(watched, leases, now)],
    contractsOverLimit: followed.length > settings.webhookContracts,
  }
}

/** Throws TooManyWebhookContracts if a product has more contracts on followed chains than events are logged for. */
export async function checkContractCount(
  productId: ProductId,
  ports: Pick<NftEventPorts, 'contracts'>,
  settings: NftEventSettings,
): Promise<void> {
  const { followed } = await contractsWithEvents(productId, ports, settings)
  if (followed.length <= settings.webhookContracts) return
  throw new TooManyWebhookContracts(
    `Events are for ${settings.webhookContracts} contracts; this product has more.`,
  )
}
