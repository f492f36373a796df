import { TooManyWebhookContracts } from '../failures.ts'
import type { Chain } from '../nft/chain.ts'
import {
  contractsWithEvents,
  type NftEventPorts,
  type NftEventSettings,
} from '../nft-events/read-nft-events.ts'
import type { ProductId } from '../product/product.ts'

/** Which contracts of a product have no events. */
export async function contractsWithoutEvents(
  productId: ProductId,
  ports: Pick<NftEventPorts, 'contracts'>,
  settings: NftEventSettings,
): Promise<{ notFollowed: Chain[]; contractsOverLimit: boolean }> {
  const { followed, notFollowed } = await contractsWithEvents(productId, ports, settings)
  return { notFollowed, contractsOverLimit: followed.length > settings.webhookContracts }
}

/** Throws TooManyWebhookContracts if a product has more contracts on followed chains than events are logged for. */
export async function checkContractCount(
  productId: ProductId,
  ports: Pick<NftEventPorts, 'contracts'>,
  settings: NftEventSettings,
): Promise<void> {
  const { contractsOverLimit } = await contractsWithoutEvents(productId, ports, settings)
  if (!contractsOverLimit) return
  throw new TooManyWebhookContracts(
    `Events are for ${settings.webhookContracts} contracts; this product has more.`,
  )
}
