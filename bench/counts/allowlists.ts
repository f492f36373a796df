import { contractsOf } from '../../lib/adapters/dynamodb/keys/product-partition.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import { allowlists, newMixedWallet, seedAllowlist } from '../scenario/allowlists.ts'
import { playerNfts } from '../scenario/operations.ts'
import { signIn } from '../scenario/players.ts'
import type { CallCounts } from '../stubs/call-counter.ts'
import { sizeOf } from '../stubs/memory-table.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { countsOf, inContainer } from './containers.ts'

/** The requests for a player's NFTs with one kind of allowlist. */
export interface AllowlistCounts {
  allowlist: string
  cold: CallCounts
  warm: CallCounts
  /** The size of the items of the contracts, in bytes. */
  contractBytes: number
  /** The number of NFTs in the response. */
  nfts: number
}

/** Counts the requests for the NFTs of one player, for products that differ only in their allowlists. */
export async function countAllowlists(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<AllowlistCounts[]> {
  const player = await signIn(subjects, surroundings, [newMixedWallet(surroundings)])
  const counts: AllowlistCounts[] = []
  for (const [allowlist, description] of Object.entries(allowlists)) {
    const product = seedAllowlist(surroundings.table, description)
    const operation = playerNfts({ product, players: new Map([[10, player]]) }, 10)
    const { pk, prefix } = contractsOf(product.productId as ProductId)
    const contracts = [...surroundings.table.range(pk, { prefix })]
    counts.push({
      allowlist,
      contractBytes: contracts.reduce((bytes, item) => bytes + sizeOf(item), 0),
      ...(await inContainer(operation.functionName, subjects, surroundings, async (container) => {
        const cold = await countsOf(operation, container, surroundings)
        const warm = await countsOf(operation, container, surroundings)
        const { operations } = await container.run([operation.event()])
        return { cold, warm, nfts: operations[0]?.entries ?? 0 }
      })),
    })
  }
  return counts
}
