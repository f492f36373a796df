import { ownedBy } from '@player-nfts/local/indexer/holdings'
import type { TokenType } from '@player-nfts/local/indexer/world'
import fc from 'fast-check'
import type { OperationId } from '../../../functions/operations.ts'
import { largestTokenId, type TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { ContractKey } from '../../../lib/domain/nft/nft.ts'
import type { CountedService } from '../services/counted-service.ts'
import { newAddress } from '../services/service.ts'
import type { Sent } from './client.ts'
import { networkOf } from './kept-world.ts'
import { productWith } from './reading.ts'

const amount = fc.oneof(fc.bigInt({ min: 1n, max: 5n }), fc.constant(largestTokenId))
const tokenId = fc
  .oneof(fc.integer({ min: 0, max: 24 }).map(BigInt), fc.constantFrom(2n ** 128n, largestTokenId))
  .map((id) => `${id}` as TokenId)

/** Owners are the wallets of a player, and then a stranger. */
const owner = fc.nat({ max: 3 })

const generatedContract = fc.record({
  chain: fc.constantFrom<Chain>('POLYGON', 'POLYGON', 'BSC'),
  tokenType: fc.constantFrom<TokenType>('ERC721', 'ERC1155'),
  held: fc.uniqueArray(fc.record({ tokenId, owner, amount }), {
    maxLength: 16,
    selector: (each) => each.tokenId,
  }),
  allowed: fc.oneof(
    fc.constant(['*']),
    fc.constantFrom(['0..9'], ['3..5', '7..22'], ['0..24', `${largestTokenId}`]),
    fc.uniqueArray(tokenId, { minLength: 1, maxLength: 12 }),
  ),
  isKept: fc.constantFrom(true, true, true, false),
  /** NFTs that move after the snapshot: the place among those that are held, and to whom. */
  moves: fc.array(fc.record({ of: fc.nat(), to: owner }), { maxLength: 4 }),
})

/** A player's wallets and contracts with NFTs, and a read of them. */
export const generatedWorld = fc.record({
  contracts: fc.array(generatedContract, { minLength: 1, maxLength: 4 }),
  wallets: fc.integer({ min: 1, max: 3 }),
  operation: fc.constantFrom<OperationId>('getRawMetadata', 'getStructuredMetadata'),
  chains: fc.constantFrom(undefined, 'POLYGON', 'BSC'),
  limit: fc.integer({ min: 2, max: 12 }),
  /** Which containers keep. */
  deployment: fc.nat({ max: 2 }),
  /** Which containers read the pages. */
  turns: fc.constantFrom('kept', 'kept', 'indexed', 'indexedFirst'),
})

export type GeneratedContract =
  typeof generatedContract extends fc.Arbitrary<infer Value> ? Value : never
type GeneratedWorld = typeof generatedWorld extends fc.Arbitrary<infer Value> ? Value : never

/** A player with the NFTs of a generated world, and the moves that are still to be made. */
export async function makeWorld(
  service: CountedService,
  keep: (contract: ContractKey) => Promise<void>,
  { contracts, wallets, chains }: Pick<GeneratedWorld, 'contracts' | 'wallets' | 'chains'>,
) {
  const owners = Array.from({ length: 4 }, () => newAddress() as Address)
  const deployed = contracts.map((contract) => deploy(service, contract, owners))
  const apiKey = await productWith(service, ...deployed)
  const { playerToken } = await service.newPlayer(owners.slice(0, wallets))
  for (const { isKept, chain, address } of deployed) {
    if (isKept) await keep({ chain, address })
  }
  const moves = deployed.flatMap(({ moves: its, ...contract }) =>
    its.map((each) => [contract, each] as const),
  )
  const sent: Sent = { apiKey, playerToken, query: { ...(chains && { chains }) } }
  return { deployed, sent, moves }
}

function deploy(
  service: CountedService,
  { chain, tokenType, held, allowed, isKept, moves }: GeneratedContract,
  owners: readonly Address[],
) {
  const address = newAddress() as Address
  const contract = { network: networkOf(chain), address, tokenType }
  const holders = new Map<TokenId, { at: number; amount: bigint }>()
  // Also a contract without NFTs is there.
  ownedBy(service.world, contract, owners[0] as Address, [])
  for (const { tokenId: id, owner: at, amount: balance } of held) {
    const of = tokenType === 'ERC721' ? 1n : balance
    ownedBy(service.world, contract, owners[at] as Address, [id], { amount: of })
    holders.set(id, { at, amount: of })
  }
  const ids = [...holders.keys()]
  const made = moves.flatMap(({ of, to }) => {
    const id = ids[of % Math.max(1, ids.length)]
    const holder = id && holders.get(id)
    if (!holder) return []
    const [from, receiver] = [owners[holder.at] as Address, owners[to] as Address]
    const moved = holder.amount > 2n ? holder.amount / 2n : holder.amount
    // What was moved once stays in part, and the rest moves on from the first holder.
    if (moved < holder.amount) holder.amount -= moved
    else holder.at = to
    return [{ tokenId: id, from, to: receiver, amount: moved }]
  })
  return { chain, address, tokenType, tokenIds: allowed, isKept, moves: made }
}
