import { alchemyChainEvents } from '../../lib/adapters/alchemy/chain-events.ts'
import { alchemyChainState } from '../../lib/adapters/alchemy/chain-state.ts'
import { alchemyTokenOwners } from '../../lib/adapters/alchemy/token-owners.ts'
import { dynamoFollowNotes } from '../../lib/adapters/dynamodb/follow-notes.ts'
import { dynamoContractCares } from '../../lib/adapters/dynamodb/keeping/contract-care.ts'
import { dynamoContractUses } from '../../lib/adapters/dynamodb/keeping/contract-uses.ts'
import {
  dynamoKeptContracts,
  dynamoSettledDigests,
} from '../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import { dynamoSnapshotAttempts } from '../../lib/adapters/dynamodb/keeping/snapshot-attempts.ts'
import { dynamoSnapshotLists } from '../../lib/adapters/dynamodb/keeping/snapshot-lists.ts'
import { dynamoTokenMetadata } from '../../lib/adapters/dynamodb/keeping/token-metadata.ts'
import type { Table } from '../../lib/adapters/dynamodb/table.ts'
import type { IndexerKey } from '../../lib/adapters/indexer-key.ts'
import type { CallBudget, ContractUses } from '../../lib/domain/ports/contract-use.ts'
import type { ProductUse } from '../../lib/domain/ports/limits.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import { newSnapshotId } from '../../lib/domain/snapshots/snapshot-attempt.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { upkeepSettings } from '../../lib/settings/keeping.ts'

/** What the upkeep of kept contracts needs beside the ports of the other background work (D153). */
export function upkeepPorts(table: Table, indexerKey: IndexerKey) {
  const { keptChains, keptTokens, ownersLagSeconds } = upkeepSettings()
  const chainState = alchemyChainState(indexerKey)
  return {
    keptChains: [...new Set(keptChains)],
    chainEvents: alchemyChainEvents(indexerKey),
    ...{ chainState, contractStandards: chainState },
    tokenOwners: alchemyTokenOwners(indexerKey),
    followNotes: dynamoFollowNotes(table),
    contractCares: dynamoContractCares(table),
    contractUses: dynamoContractUses(table),
    keptContracts: dynamoKeptContracts(table),
    settledDigests: dynamoSettledDigests(table),
    attempts: dynamoSnapshotAttempts(table),
    snapshotLists: dynamoSnapshotLists(table),
    tokenMetadata: dynamoTokenMetadata(table),
    snapshotSettings: { keptTokens, settlingMilliseconds: ownersLagSeconds * 1_000 },
    newId: () => newSnapshotId(Date.now()),
    now: Date.now,
    random: Math.random,
  }
}

/** The budget of the work of a message, whose calls are made one after the other. `count`: counts calls of a product. */
export const callBudget = (
  contractUses: Pick<ContractUses, 'of'>,
  productUse: Pick<ProductUse, 'hasHalfLeft'>,
  count: (productId: ProductId, indexerCalls: number) => void,
): CallBudget => ({
  async spend(contract, work) {
    const productId = (await contractUses.of(contract))?.productId
    if (productId !== undefined && !(await productUse.hasHalfLeft(productId))) return 'later'
    const before = madeCalls()
    try {
      return await work()
    } finally {
      if (productId !== undefined) count(productId, madeCalls() - before)
    }
  },
})

const madeCalls = (): number => downstreamCalls.counts().indexerCalls ?? 0
