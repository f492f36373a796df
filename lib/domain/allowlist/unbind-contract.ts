import { ServiceUnavailable } from '../failures.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { Contracts } from '../ports/allowlist.ts'
import type { ProductEvents } from '../ports/product-events.ts'
import type { WorkQueue } from '../ports/work-queue.ts'
import type { Actor } from '../product/product-event.ts'
import { recordChange } from '../product/record-change.ts'
import type { Deadline } from '../time-budget.ts'
import { connectedContract } from './connected-contract.ts'

/** The ports of unbinding a contract. */
export interface DisconnectPorts {
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
      beside: () => workQueue.send({ kind: 'sweep', productId, contract }),
      make: async () => {
        // A caller that received an error may have connected the contract again.
        if (Date.now() >= deadline) throw new ServiceUnavailable('unbinding ran out of time')
        await contracts.disconnect(productId, contract)
      },
    },
    events,
  )
}
