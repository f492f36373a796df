import { maxContractsPerProduct } from './allowlist-limits.ts'
import { ContractNotConnected, InvalidInput, ServiceUnavailable } from './failures.ts'
import type { Contract, ContractKey, Nft } from './nft.ts'
import type { AllowedTokenIds, Contracts } from './ports/allowlist.ts'
import type { ProductEvents } from './ports/product-events.ts'
import type { WorkQueue } from './ports/work-queue.ts'
import type { ProductId } from './product.ts'
import type { Actor } from './product-event.ts'
import { recordChange } from './record-change.ts'
import type { Deadline } from './time-budget.ts'
import type { TokenId } from './token-id.ts'

/** The ports of the changes of an allowlist. */
export interface AllowlistPorts {
  contracts: Contracts
  allowedTokenIds: AllowedTokenIds
  events: ProductEvents
}

/**
 * Connects a contract to a product and adds token identifiers to its allowlist (4.3, D17). Safe to
 * repeat and to run concurrently: the list is the union. After a crash between two writes the list has
 * a part of the identifiers, and a repeat adds the rest. Without a description, a connected contract
 * keeps its description (D37). The change is recorded (D49). Throws InvalidInput if the product has the
 * maximum number of contracts, or if the description of a contract that is not connected is absent.
 */
export async function allowlist(
  { productId, keyId }: Actor,
  { contract, description, tokenIds }: Allowlisting,
  { contracts, allowedTokenIds, events }: AllowlistPorts,
): Promise<Nft[]> {
  const connected = await contracts.get(productId, contract)
  if (!connected && description === undefined) throw missingDescription()
  const { chain, address: contractAddress } = contract
  const count = tokenIds.length
  await recordChange(
    productId,
    { action: 'allowlistNfts', keyId, chain, contractAddress, count },
    {
      beside: connected ? undefined : () => expectRoom(productId, contracts),
      make: async () => {
        // The tokens of a connected contract are added while its description changes.
        const adding = connected && allowedTokenIds.add(connected.bindingId, tokenIds)
        const connecting =
          connected && description === undefined
            ? connected
            : connect(productId, contract, description ?? '', connected, contracts)
        const { bindingId } = await bothEnded(connecting, adding)
        // The contract was unbound in the meantime, and is connected anew.
        if (bindingId !== connected?.bindingId) await allowedTokenIds.add(bindingId, tokenIds)
      },
    },
    events,
  )
  return tokenIds.map((tokenId) => ({ tokenId, ...contract }))
}

/** A request to allowlist NFTs of a contract. */
interface Allowlisting {
  contract: ContractKey
  description?: string | undefined
  tokenIds: readonly TokenId[]
}

/** Waits for both, so that nothing is written after a failure is known. Returns the first result, or throws. */
async function bothEnded<Result>(
  first: Result | Promise<Result>,
  second: Promise<void> | undefined,
): Promise<Result> {
  await Promise.allSettled([first, second])
  await second
  return await first
}

/** The maximum number of attempts while other requests connect and unbind the same contract. */
const connectAttempts = 5

/** Gives the contract its description, or connects it. `connected`: its connection shortly before. */
async function connect(
  productId: ProductId,
  key: ContractKey,
  description: string,
  connected: Contract | undefined,
  contracts: Contracts,
): Promise<Contract> {
  let isConnected = connected !== undefined
  for (let attempt = 0; attempt < connectAttempts; attempt += 1) {
    if (isConnected) {
      const updated = await contracts.updateDescription(productId, key, description)
      if (updated) return updated
      await expectRoom(productId, contracts)
    }
    const made = await contracts.connect(productId, key, description)
    if (made) return made
    isConnected = true
  }
  throw new ServiceUnavailable('a contract was connected and unbound over and over')
}

async function expectRoom(productId: ProductId, contracts: Contracts): Promise<void> {
  const all = await contracts.list(productId)
  if (all.length >= maxContractsPerProduct) throw tooManyContracts()
}

const missingDescription = () =>
  new InvalidInput({ in: 'body', path: 'contractDescription' }, 'is required')

const tooManyContracts = () =>
  new InvalidInput(
    { in: 'body', path: 'contractAddress' },
    `is one more than the ${maxContractsPerProduct} contracts a product may have connected`,
  )

/** Returns the connection of a contract to a product. Throws ContractNotConnected. */
async function connectedContract(
  productId: ProductId,
  key: ContractKey,
  contracts: Contracts,
): Promise<Contract> {
  const contract = await contracts.get(productId, key)
  if (!contract) throw new ContractNotConnected(key)
  return contract
}

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

/**
 * Removes NFTs from a contract's allowlist and returns the number of removed NFTs (4.6, D20). The change is
 * recorded (D49). Throws ContractNotConnected.
 */
export const removeAllowedNfts = (
  actor: Actor,
  key: ContractKey,
  tokenIds: readonly TokenId[],
  ports: AllowlistPorts,
): Promise<number> =>
  removeNfts(actor, key, tokenIds, ports, ({ bindingId }) =>
    ports.allowedTokenIds.remove(bindingId, tokenIds),
  )

/**
 * Removes many NFTs from a contract's allowlist in batches, and returns the number of NFTs that were on it
 * before (D50). A repeat after a failure removes the rest. The change is recorded (D49). Throws
 * ContractNotConnected.
 */
export const removeAllowedNftList = (
  actor: Actor,
  key: ContractKey,
  tokenIds: readonly TokenId[],
  ports: AllowlistPorts,
): Promise<number> =>
  removeNfts(actor, key, tokenIds, ports, ({ bindingId }) =>
    ports.allowedTokenIds.removeInBatches(bindingId, tokenIds),
  )

async function removeNfts(
  { productId, keyId }: Actor,
  key: ContractKey,
  tokenIds: readonly TokenId[],
  { contracts, events }: AllowlistPorts,
  remove: (contract: Contract) => Promise<number>,
): Promise<number> {
  const contract = await connectedContract(productId, key, contracts)
  const { chain, address: contractAddress } = contract
  return await recordChange(
    productId,
    { action: 'unbindNfts', keyId, chain, contractAddress, count: tokenIds.length },
    { make: () => remove(contract), countOf: (removed) => removed },
    events,
  )
}
