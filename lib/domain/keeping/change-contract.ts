import { ServiceUnavailable } from '../failures.ts'
import type { KeptContract } from '../holdings/kept-contract.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { KeptContracts } from '../ports/kept-contracts.ts'

/** How often an item is written that the follower writes, too. */
const maxTries = 5

/**
 * Changes what is known of a contract, from what it is: `undefined` leaves it so. Returns the item as it is then. Throws ServiceUnavailable,
 * also if the item is another one with each try.
 */
export async function changeContract(
  key: ContractKey,
  changesOf: (item: KeptContract) => Partial<KeptContract> | undefined,
  keptContracts: Pick<KeptContracts, 'contract' | 'write'>,
): Promise<{ item: KeptContract | undefined; isChanged: boolean }> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const before = await keptContracts.contract(key)
    const changes = before && changesOf(before)
    if (!changes) return { item: before, isChanged: false }
    const item = { ...before, ...changes, version: before.version + 1 }
    if (await keptContracts.write(key.chain, item)) return { item, isChanged: true }
  }
  throw new ServiceUnavailable('the item of a kept contract changes with each try')
}
