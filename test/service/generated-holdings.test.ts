import { ownedBy } from '@player-nfts/local/indexer/holdings'
import type { TokenType } from '@player-nfts/local/indexer/world'
import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import { largestTokenId, type TokenId } from '../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../lib/domain/nft/address.ts'
import type { Chain } from '../../lib/domain/nft/chain.ts'
import type { ContractKey } from '../../lib/domain/nft/nft.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { keptWorld, networkOf } from '../support/requests/kept-world.ts'
import { productWith } from '../support/requests/reading.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'
import { checkAsync } from '../support/vitest/seeded.ts'

const service = await startCountedService()
const { keep, move } = keptWorld(service)

const following = { FOLLOWED_CHAINS: 'POLYGON,BSC' }
const indexing = service.newContainers()
const keeping = service.newContainers(following)

/** Containers that have not read what is kept in the same second. */
const later = () => service.newContainers(following)

/** The number of generated worlds. .ci/soak reads more. */
const worlds = Number(process.env['GENERATED_WORLDS'] ?? 10)

interface Entry extends ContractKey {
  tokenId: TokenId
  owner: Address
  balance: string
}

/** Entries in the order of D24. */
const inOrder = (entries: readonly Entry[]) => {
  const placeOf = ({ chain, address, tokenId, owner }: Entry) =>
    [chain, address, tokenId.padStart(78, '0'), owner].join(' ')
  return entries.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

/** A response without the moment of which it speaks, byte for byte. */
const withoutMoment = ({ text }: Received) => text.replace(/"asOf":"[^"]*"/, '')

/** All pages of a list, of which each one of these containers reads one, and the last one the rest. `between`: happens after the first. */
async function pagesOf(
  [host, ...others]: readonly [LambdaHost, ...LambdaHost[]],
  operation: OperationId,
  sent: Sent,
  between: () => Promise<void> = async () => undefined,
): Promise<Received[]> {
  const page = await invokeFunction(host, operation, sent)
  expect(page.status, page.text).toBe(200)
  const { nextCursor: cursor } = page.json
  if (cursor === undefined) return [page]
  await between()
  const [next = host, ...rest] = others
  const following = { ...sent, query: { ...sent.query, cursor } }
  return [page, ...(await pagesOf([next, ...rest], operation, following))]
}

const entriesOf = (pages: readonly Received[]): Entry[] => pages.flatMap(({ json }) => json.data)

/** Containers that keep the contracts of both chains, those of one, and the first two of each product. */
const deployments = [
  keeping,
  service.newContainers({ FOLLOWED_CHAINS: 'POLYGON' }),
  service.newContainers({ ...following, KEPT_CONTRACTS: '2' }),
] as const

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
const generatedWorld = fc.record({
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

type GeneratedContract = typeof generatedContract extends fc.Arbitrary<infer Value> ? Value : never
type GeneratedWorld = typeof generatedWorld extends fc.Arbitrary<infer Value> ? Value : never

/** A player with the NFTs of a generated world, and the moves that are still to be made. */
async function makeWorld({
  contracts,
  wallets,
  chains,
}: Pick<GeneratedWorld, 'contracts' | 'wallets' | 'chains'>) {
  const owners = Array.from({ length: 4 }, () => newAddress() as Address)
  const deployed = contracts.map((contract) => deploy(contract, owners))
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

describe('D156: generated worlds', () => {
  test(`${worlds} have the same NFTs in both ways, complete and in pages`, {
    timeout: 900_000,
  }, async () => {
    await checkAsync(
      fc.asyncProperty(
        generatedWorld,
        async ({ operation, limit, deployment, turns, ...world }) => {
          const { deployed, sent, moves } = await makeWorld(world)
          for (const [contract, each] of moves) await move(contract, each)
          const host = deployments[deployment] ?? keeping
          const expected = await invokeFunction(indexing, operation, sent)
          const answer = await invokeFunction(host, operation, sent)
          expect(withoutMoment(answer)).toBe(withoutMoment(expected))
          const paged = { ...sent, query: { ...sent.query, limit: `${limit}` } }
          // A list that begins with the indexer goes on with it.
          const hosts = {
            kept: [host],
            indexed: [indexing],
            indexedFirst: [indexing, host, indexing],
          } as const
          const pages = await pagesOf(hosts[turns], operation, paged)
          for (const { json } of pages) expect(json.data.length).toBeLessThanOrEqual(limit)
          const found = entriesOf(pages)
          expect(inOrder(found)).toEqual(expected.json.data)
          // A page that is the complete answer has the order of D24, as the answer has.
          if (pages.length === 1) expect(found).toEqual(expected.json.data)
          if (pages.length === 1 || turns !== 'kept' || host !== keeping) return
          const kept = deployed.filter(({ isKept }) => isKept).map(({ address }) => address)
          const first = found.filter(({ address }) => kept.includes(address))
          expect(found.slice(0, first.length)).toEqual(inOrder(first))
        },
      ),
      worlds,
    )
  })

  test(`${worlds / 2} have each NFT of ERC-721 once in pages between which it moves`, {
    timeout: 900_000,
  }, async () => {
    await checkAsync(
      fc.asyncProperty(generatedWorld, async ({ operation, limit, ...world }) => {
        const contracts = world.contracts.map(
          (contract): GeneratedContract => ({
            ...contract,
            tokenType: 'ERC721',
            chain: 'POLYGON',
            isKept: true,
          }),
        )
        const { sent, moves } = await makeWorld({ ...world, contracts })
        const paged = { ...sent, query: { ...sent.query, limit: `${limit}` } }
        const nameOf = ({ address, tokenId: id }: Pick<Entry, 'address' | 'tokenId'>) =>
          `${address} ${id}`
        const before = entriesOf([await invokeFunction(indexing, operation, sent)])
        const pages = await pagesOf([keeping, later()], operation, paged, async () => {
          for (const [contract, each] of moves) await move(contract, each)
        })
        const found = entriesOf(pages).map(nameOf)
        expect(found).toEqual([...new Set(found)])
        const moved = new Set(
          moves.map(([{ address }, { tokenId: id }]) => nameOf({ address, tokenId: id })),
        )
        const unmoved = (names: string[]) => names.filter((name) => !moved.has(name))
        expect(unmoved(found)).toEqual(unmoved(before.map(nameOf)))
      }),
      worlds / 2,
    )
  })
})
