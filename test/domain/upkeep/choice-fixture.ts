import { afterEach, beforeEach, vi } from 'vitest'
import { dynamoContractUses } from '../../../lib/adapters/dynamodb/keeping/contract-uses.ts'
import { dynamoKeptContracts } from '../../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import { dynamoNotedReads } from '../../../lib/adapters/dynamodb/keeping/noted-reads.ts'
import {
  isLetGo,
  type KeptContract,
  newKeptContract,
} from '../../../lib/domain/holdings/kept-contract.ts'
import type { ContractKey } from '../../../lib/domain/nft/nft.ts'
import { chooseContracts } from '../../../lib/domain/upkeep/choose-contracts.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { adapterTableOf, storedItems } from '../../support/aws/stored-items.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { productId } from '../../support/memory/owned-nfts.ts'

export const start = 1_800_000_000_000
export const [hour, day] = [3_600_000, 86_400_000]
export const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

export const contractOf = (number: number): ContractKey => ({
  ...{ chain: 'POLYGON', address: addressOf(number) },
})
export const [first, second, third] = [contractOf(1), contractOf(2), contractOf(3)]
export const chains = ['POLYGON', 'BSC'] as const

/** A worker and readers of the contracts in the embedded AWS of a test file, whose table is empty before each test. */
export async function startChoice() {
  const aws = await startTestAws()
  // Not the access of the environment, which another test file of the process may have had read.
  const access = { ...aws.access, endpoint: aws.proxy.url }
  const table = adapterTableOf({ aws: access, resources: aws.resources })
  const items = storedItems(table)
  const contractUses = dynamoContractUses(table)
  const keptContracts = dynamoKeptContracts(table)
  const ports = { contractUses, keptContracts, now: () => Date.now() }

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    await items.empty()
  })
  afterEach(() => void vi.useRealTimers())

  return {
    ...{ aws, ports, contractUses, keptContracts },
    choose: (limit?: number) => chooseContracts(chains, ports, limit),
    wanted: () => contractUses.wanted('POLYGON'),
    /** Reads each contract some times, in a new container. */
    async read(contracts: readonly ContractKey[], { times = 1, isUnknown = true } = {}) {
      const noted = dynamoNotedReads(table, { keptFromReads: 1 })
      const read = { productId, wallet: addressOf(0xa), isUnknown }
      const reads = contracts.flatMap((contract) => Array(times).fill({ ...read, contract }))
      await downstreamCalls.during(async () => noted.note(reads))
    },
    /** Writes the next version of a contract, as the follower does. */
    async change(key: ContractKey, changes: Partial<KeptContract>) {
      const contract = (await keptContracts.contract(key)) ?? newKeptContract(key.address)
      const version = contract.version + 1
      await keptContracts.write(key.chain, { ...contract, ...changes, version })
    },
    /** The contracts that are kept, and not let go. */
    async kept(): Promise<ContractKey[]> {
      const read = chains.map(async (chain) =>
        (await keptContracts.contracts(chain))
          .filter((contract) => !isLetGo(contract))
          .map(({ address }) => ({ chain, address })),
      )
      return (await Promise.all(read)).flat()
    },
    /** The actions of the requests that a function makes, in the order of their names. */
    async actionsOf(run: () => Promise<unknown>): Promise<string[]> {
      const before = aws.proxy.requests.length
      await run()
      return aws.proxy.requests
        .slice(before)
        .map(({ action }) => action)
        .sort()
    },
  }
}
