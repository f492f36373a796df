import { isLetGo, newKeptContract } from '../holdings/kept-contract.ts'
import { changeContract } from '../keeping/change-contract.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { UpkeepPorts } from './upkeep-ports.ts'

/** Begins to keep a wanted contract, or goes on with one that was let go. `false`: another process was faster. */
export async function beginContract(
  key: ContractKey,
  { keptContracts, contractUses }: Pick<UpkeepPorts, 'keptContracts' | 'contractUses'>,
): Promise<boolean> {
  const known = await keptContracts.contract(key)
  const from = known ?? newKeptContract(key.address)
  const contract = { ...from, version: from.version + 1, ended: undefined }
  const isBegun = (!known || isLetGo(known)) && (await keptContracts.write(key.chain, contract))
  // An item that is damaged would be tried for as long as the contract is wanted.
  if (isBegun || !known) await contractUses.settleWanted(key)
  return isBegun
}

/** Lets go of a contract, which the indexer is then asked about. `false`: it is let go. */
export async function letGoContract(
  key: ContractKey,
  { keptContracts, now }: Pick<UpkeepPorts, 'keptContracts' | 'now'>,
): Promise<boolean> {
  const nothing = {
    lacksSince: undefined,
    snapshot: undefined,
    prepared: undefined,
    log: undefined,
  }
  const { isChanged } = await changeContract(
    key,
    (contract) =>
      isLetGo(contract)
        ? undefined
        : { ...nothing, events: [], ended: { reason: 'letGo', at: now() } },
    keptContracts,
  )
  return isChanged
}
