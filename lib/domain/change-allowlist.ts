import { maxContractsPerProduct } from './allowlist-limits.ts'
import { ContractNotConnected, InvalidInput, ServiceUnavailable } from './failures.ts'
import type { Contract, ContractKey, Nft } from './nft.ts'
import type { AllowedTokenIds, Contracts, WorkQueue } from './ports.ts'
import type { ProductId } from './product.ts'
import type { Deadline } from './time-budget.ts'
import type { TokenId } from './token-id.ts'

/**
 * Connects a contract to a product and adds token identifiers to its allowlist (4.3, D17). Safe to
 * repeat and to run concurrently: the list is the union. After a crash between two writes the list has
 * a part of the identifiers, and a repeat adds the rest. Without a description, a connected contract
 * keeps its description (D37). Throws InvalidInput if the product has the maximum number of contracts, or
 * if the description of a contract that is not connected is absent.
 */
export async function allowlist(
  productId: ProductId,
  request: {
    contract: ContractKey
    description?: string | undefined
    tokenIds: readonly TokenId[]
  },
  { contracts, allowedTokenIds }: { contracts: Contracts; allowedTokenIds: AllowedTokenIds },
): Promise<Nft[]> {
  const { bindingId } = await connect(productId, request.contract, request.description, contracts)
  await allowedTokenIds.add(bindingId, request.tokenIds)
  return request.tokenIds.map((tokenId) => ({ tokenId, ...request.contract }))
}

/** The maximum number of attempts while other requests connect and unbind the same contract. */
const connectAttempts = 5

async function connect(
  productId: ProductId,
  key: ContractKey,
  description: string | undefined,
  contracts: Contracts,
): Promise<Contract> {
  if (description === undefined) {
    const connected = await contracts.get(productId, key)
    if (!connected) throw missingDescription()
    return connected
  }
  for (let attempt = 0; attempt < connectAttempts; attempt += 1) {
    const connected = await contracts.updateDescription(productId, key, description)
    if (connected) return connected
    const all = await contracts.list(productId)
    if (all.length >= maxContractsPerProduct) throw tooManyContracts()
    const made = await contracts.connect(productId, key, description)
    if (made) return made
  }
  throw new ServiceUnavailable('a contract was connected and unbound over and over')
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

/**
 * Unbinds a contract and everything allowlisted under it, with effect for the next request everywhere
 * (4.5, D19). The entries of the connection are deleted in the background. Throws ContractNotConnected.
 */
export async function disconnectContract(
  productId: ProductId,
  key: ContractKey,
  deadline: Deadline,
  { contracts, workQueue }: { contracts: Contracts; workQueue: WorkQueue },
): Promise<void> {
  const contract = await connectedContract(productId, key, contracts)
  // The message is sent first: after a crash the contract stays connected and the sweep does nothing.
  await workQueue.send({ kind: 'sweep', productId, contract })
  // A caller that received an error may have connected the contract again.
  if (Date.now() >= deadline) throw new ServiceUnavailable('unbinding ran out of time')
  await contracts.disconnect(productId, contract)
}

/** Removes NFTs from a contract's allowlist and returns the number of removed NFTs (4.6, D20). */
export async function removeAllowedNfts(
  productId: ProductId,
  key: ContractKey,
  tokenIds: readonly TokenId[],
  { contracts, allowedTokenIds }: { contracts: Contracts; allowedTokenIds: AllowedTokenIds },
): Promise<number> {
  const { bindingId } = await connectedContract(productId, key, contracts)
  return await allowedTokenIds.remove(bindingId, tokenIds)
}

/**
 * Removes many NFTs from a contract's allowlist in batches, and returns the number of NFTs that were on it
 * before (D55). A repeat after a failure removes the rest. Throws ContractNotConnected.
 */
export async function removeAllowedNftList(
  productId: ProductId,
  key: ContractKey,
  tokenIds: readonly TokenId[],
  { contracts, allowedTokenIds }: { contracts: Contracts; allowedTokenIds: AllowedTokenIds },
): Promise<number> {
  const { bindingId } = await connectedContract(productId, key, contracts)
  return await allowedTokenIds.removeInBatches(bindingId, tokenIds)
}
