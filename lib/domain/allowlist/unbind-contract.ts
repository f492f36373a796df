import { ContractNotConnected, ServiceUnavailable } from '../failures.ts'
import type { ContractKey, ContractWithRanges } from '../nft/nft.ts'
import type { Contracts } from '../ports/allowlist.ts'
import type { ProductEvents } from '../ports/products.ts'
import type { WorkQueue } from '../ports/work-queue.ts'
import type { ProductId } from '../product/product.ts'
import type { Actor } from '../product/product-event.ts'
import { recordChange } from '../product/record-change.ts'
import type { Deadline } from '../time-budget.ts'

/** Returns the connection of a contract to a product. Throws ContractNotConnected. */
export async function connectedContract(
  productId: ProductId,
  key: ContractKey,
  contracts: Contracts,
): Promise<ContractWithRanges> {
  const contract = await contracts.get(productId, key)
  if (!contract) throw new ContractNotConnected(key)
  return contract
}

interface DisconnectPorts {
  contracts: Contracts
  workQueue: WorkQueue
  events: ProductEvents
}

/**
 * Unbinds a contract and everything allowlisted under it, with effect for the next request everywhere
 * (4.5, D19). The entries of the connection are deleted in the background. The change is recorded (D49).
 * Throws ContractNotConnected.
 */
export async function disconnectContract(
  { productId, keyId }: Actor,
  key: ContractKey,
  deadline: Deadline,
  { contracts, workQueue, events }: DisconnectPorts,
): Promise<void> {
  const contract = await connectedContract(productId, key, contracts)
  const { chain, address: contractAddress } = contract
  await recordChange(
    productId,
    { action: 'unbindContract', keyId, chain, contractAddress },
    {
      // The message is sent first: after a crash the contract stays connected and the sweep does nothing.
      concurrent: () => workQueue.send({ kind: 'sweep', productId, contract }),
      make: async () => {
        // A caller that received an error may have connected the contract again.
        if (Date.now() >= deadline) throw new ServiceUnavailable('unbinding ran out of time')
        await contracts.disconnect(productId, contract)
      },
    },
    events,
  )
}
