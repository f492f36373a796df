import { type Contract, type ContractKey, maxContractsPerProduct, type Nft } from './allowlist.ts'
import { ContractNotConnected, InvalidInput, ServiceUnavailable } from './failures.ts'
import type { AllowedTokenIds, Contracts, WorkQueue } from './ports.ts'
import type { ProductId } from './product.ts'
import type { Deadline } from './time-budget.ts'
import type { TokenId } from './token-id.ts'

/**
 * Connects a contract to a product and adds token identifiers to its allowlist (4.3, D17). Safe to
 * repeat and to run at the same time from several callers: the list is the union. A crash between
 * two writes leaves part of what was asked for, and a repeat finishes it.
 */
export async function allowlist(
  productId: ProductId,
  request: { contract: ContractKey; description: string; tokenIds: readonly TokenId[] },
  { contracts, allowedTokenIds }: { contracts: Contracts; allowedTokenIds: AllowedTokenIds },
): Promise<Nft[]> {
  const { bindingId } = await connect(productId, request.contract, request.description, contracts)
  await allowedTokenIds.add(bindingId, request.tokenIds)
  return request.tokenIds.map((tokenId) => ({ tokenId, ...request.contract }))
}

/** How often connecting starts over when others connect and unbind the same contract meanwhile. */
const connectAttempts = 5

async function connect(
  productId: ProductId,
  key: ContractKey,
  description: string,
  contracts: Contracts,
): Promise<Contract> {
  for (let attempt = 0; attempt < connectAttempts; attempt += 1) {
    const connected = await contracts.redescribe(productId, key, description)
    if (connected) return connected
    const all = await contracts.list(productId)
    if (all.length >= maxContractsPerProduct) throw tooManyContracts()
    const made = await contracts.connect(productId, key, description)
    if (made) return made
  }
  throw new ServiceUnavailable('a contract was connected and unbound over and over')
}

const tooManyContracts = () =>
  new InvalidInput(
    { in: 'body', path: 'contractAddress' },
    `is one more than the ${maxContractsPerProduct} contracts a product may have connected`,
  )

/** The connection of a contract to a product; throws ContractNotConnected if there is none. */
export async function connectedContract(
  productId: ProductId,
  key: ContractKey,
  contracts: Contracts,
): Promise<Contract> {
  const contract = await contracts.get(productId, key)
  if (!contract) throw new ContractNotConnected(key)
  return contract
}

/**
 * Unbinds a contract and all that was allowlisted under it, however much, in effect for the next
 * request everywhere (4.5, D19). What its connection leaves behind is swept later.
 */
export async function unbindContract(
  productId: ProductId,
  key: ContractKey,
  deadline: Deadline,
  { contracts, workQueue }: { contracts: Contracts; workQueue: WorkQueue },
): Promise<void> {
  const contract = await connectedContract(productId, key, contracts)
  // The message goes first: a crash after it leaves the contract connected, and the sweep a no-op.
  await workQueue.send({ kind: 'sweep', productId, contract })
  // Whoever was told that it failed may have connected it again since.
  if (Date.now() >= deadline) throw new ServiceUnavailable('unbinding ran out of time')
  await contracts.disconnect(productId, contract)
}

/** Removes NFTs from a contract's allowlist and answers how many were on it (4.6, D20). */
export async function unbindNfts(
  productId: ProductId,
  key: ContractKey,
  tokenIds: readonly TokenId[],
  { contracts, allowedTokenIds }: { contracts: Contracts; allowedTokenIds: AllowedTokenIds },
): Promise<number> {
  const { bindingId } = await connectedContract(productId, key, contracts)
  return await allowedTokenIds.remove(bindingId, tokenIds)
}
