import type { Chain } from '../../../domain/nft/chain.ts'
import type { ContractKey } from '../../../domain/nft/nft.ts'
import type { Day } from '../../../domain/usage/usage.ts'
import type { Key } from './key.ts'

const usePartition = ({ chain, address }: ContractKey): string => `KEPTUSE#${chain}#${address}`

/** The reads of a contract on a day. */
export const contractUseKey = (contract: ContractKey, day: Day): Key => ({
  pk: usePartition(contract),
  sk: day,
})

/** The reads of a contract from one day to another, both included: sort keys between two. */
export const contractUsesBetween = (contract: ContractKey, first: Day, last: Day) => ({
  ...{ pk: usePartition(contract), first, last },
})

/** A contract that has enough reads to be kept. */
export const wantedContractKey = ({ chain, address }: ContractKey): Key => ({
  pk: `KEPTWANT#${chain}`,
  sk: address,
})

/** All contracts of a chain that have enough reads to be kept. */
export const wantedContractsOf = (chain: Chain) => ({ pk: `KEPTWANT#${chain}`, prefix: '0x' })

/** What all workers know of the choice of the contracts that are kept. */
export const contractChoiceKey: Key = { pk: 'KEPTCHOICE#ALL', sk: 'SWAP' }
