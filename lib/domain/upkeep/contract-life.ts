import { isLetGo, newKeptContract } from '../holdings/kept-contract.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { ContractUses } from '../ports/contract-use.ts'
import type { KeptContracts } from '../ports/kept-contracts.ts'

/** How often the item is written that the follower writes, too. */
const maxTries = 3

interface LifePorts {
  keptContracts: Pick<KeptContracts, 'contract' | 'write'>
  contractUses: Pick<ContractUses, 'settleWanted'>
  /** In milliseconds since 1970. */
  now(): number
}

/** Begins to keep a wanted contract, or goes on with one that was let go. `false`: another process was faster. */
export async function beginContract(
  key: ContractKey,
  { keptContracts, contractUses }: LifePorts,
): Promise<boolean> {
  const known = await keptContracts.contract(key)
  const from = known ?? newKeptContract(key.address)
  const contract = { ...from, version: from.version + 1, ended: undefined }
  const isBegun = (!known || isLetGo(known)) && (await keptContracts.write(key.chain, contract))
  // An item that is damaged would be tried for as long as the contract is wanted.
  if (isBegun || !known) await contractUses.settleWanted(key)
  return isBegun
}

/** Lets go of a contract, which the indexer is then asked about. `false`: it is let go, or changed with each try. */
export async function letGoContract(
  key: ContractKey,
  { keptContracts, now }: Pick<LifePorts, 'keptContracts' | 'now'>,
): Promise<boolean> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const contract = await keptContracts.contract(key)
    if (!contract || isLetGo(contract)) return false
    const isSaved = await keptContracts.write(key.chain, {
      ...contract,
      ...{ version: contract.version + 1, events: [], lacksSince: undefined },
      ...{ snapshot: undefined, prepared: undefined, log: undefined },
      ended: { reason: 'letGo', at: now() },
    })
    if (isSaved) return true
  }
  return false
}
