import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { createWorld, type Network } from '../../local/indexer/world.ts'
import { numbers, sampleAddress } from '../../local/samples/samples.ts'
import { storeContracts } from '../support/aws/stored-contracts.ts'
import { productWith, readThrough } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { seed } from '../support/vitest/seeded.ts'

/**
 * Compares D24 with a brute-force oracle, through the whole service: HTTP, the functions, DynamoDB, and
 * alchemy-sdk over this project's transport. The allowlist stays the same; each case distributes the NFTs
 * among the wallets anew, and reads them with other parameters.
 */

type ChainName = 'BSC' | 'POLYGON'

interface TestContract {
  chain: ChainName
  address: string
  tokenType: 'ERC721' | 'ERC1155'
  /** The allowlisted identifiers; empty if the contract is not connected. */
  allowed: readonly string[]
}

/** Token identifiers that become wrong when converted to numbers or sorted as text. */
const large = [2n ** 53n, 2n ** 53n + 1n, 2n ** 128n, 2n ** 256n - 1n].map(String)

/** All contracts. Of every five, two are ERC-1155 and one is not connected; 50 and 60 are connected. */
const contracts: readonly TestContract[] = [...numbers(1, 62), ...numbers(1, 75)].map(
  (number, index) => ({
    chain: index < 62 ? 'BSC' : 'POLYGON',
    // The first contracts have the same address on both chains.
    address: sampleAddress(Number(number) <= 10 ? `twin/${number}` : `single/${index}`),
    tokenType: index % 5 < 2 ? 'ERC1155' : 'ERC721',
    allowed:
      index % 5 === 4
        ? []
        : numbers(1, 60)
            .filter((id) => Number(id) % 7 < 4)
            .concat(large),
  }),
)
const connected = contracts.filter(({ allowed }) => allowed.length > 0)

const networks: Record<ChainName, Network> = { BSC: 'bnb-mainnet', POLYGON: 'polygon-mainnet' }
const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService({ INDEXER_URL: indexer.url }, afterAll)
const retired = { chain: 'MUMBAI', address: newAddress(), tokenIds: ['1', '2'] }
const apiKey = await productWith(
  service,
  ...connected.map(({ allowed: tokenIds, ...contract }) => ({ ...contract, tokenIds })),
)
await storeContracts(service, apiKey, retired)

/** A range of token identifiers of one contract in a wallet, and the balance of each. */
const clump = fc.record({
  contract: fc.constantFrom(...contracts),
  tokenIds: fc.oneof(
    fc
      .tuple(fc.integer({ min: 1, max: 70 }), fc.nat(60))
      .map(([from, n]) => numbers(from, from + n)),
    fc.subarray(large, { minLength: 1 }),
  ),
  amount: fc.bigInt({ min: 1n, max: 2n ** 200n }),
})

/** `chains` as games write it: repeated, comma separated, empty, with duplicates. */
const chainFilter = fc.array(
  fc
    .array(fc.constantFrom('POLYGON', 'BSC', 'MUMBAI', 'AMOY', ''), { maxLength: 3 })
    .map((names) => names.join(',')),
  { maxLength: 2 },
)

const situation = fc.record({
  wallets: fc.array(fc.array(clump, { maxLength: 10, size: 'max' }), { maxLength: 4, size: 'max' }),
  chains: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: chainFilter },
  ),
  answers: fc.integer({ min: 1, max: 12 }),
})

interface Held {
  contract: TestContract
  tokenId: string
  owner: string
  amount: bigint
}

/** Distributes the NFTs, in place of all previous holdings; an ERC-721 token to one wallet only. */
function deal(
  wallets: readonly string[],
  clumps: readonly (typeof clump extends fc.Arbitrary<infer C> ? C : never)[][],
): Held[] {
  for (const { wallets: ledger } of Object.values(world)) ledger.clear()
  const held = new Map<string, Held>()
  for (const [index, owner] of wallets.entries()) {
    for (const { contract, tokenIds, amount } of clumps[index] ?? []) {
      for (const tokenId of tokenIds) {
        const unique = contract.tokenType === 'ERC721'
        const name = [contract.chain, contract.address, tokenId, unique ? '' : owner].join()
        if (held.has(name)) continue
        held.set(name, { contract, tokenId, owner, amount: unique ? 1n : amount })
      }
    }
  }
  for (const { contract, tokenId, owner, amount } of held.values()) {
    const { address, chain, tokenType } = contract
    ownedBy(world, { network: networks[chain], address, tokenType }, owner, [tokenId], { amount })
  }
  return [...held.values()]
}

/** The expected entries: each holding is judged by itself, then sorted field by field. */
function expected(held: readonly Held[], chains: readonly string[]) {
  const named = chains.flatMap((text) => text.split(',')).filter((name) => name !== '')
  return held
    .filter(({ contract }) => named.length === 0 || named.includes(contract.chain))
    .filter(({ contract, tokenId }) => contract.allowed.includes(tokenId))
    .map(({ contract: { address, chain }, tokenId, owner, amount }) => ({
      tokenId,
      address,
      chain,
      owner,
      balance: String(amount),
      metadataLink: `https://metadata.example/${address}/${tokenId}`,
      rawMetadata: { name: `Token ${tokenId}` },
    }))
    .sort(
      (a, b) =>
        compare(a.chain, b.chain) ||
        compare(a.address, b.address) ||
        compare(BigInt(a.tokenId), BigInt(b.tokenId)) ||
        compare(a.owner, b.owner),
    )
}

const compare = <Value>(a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0)

/** Entries without their order and without duplicates. */
const sorted = (entries: readonly object[]) => entries.map((entry) => JSON.stringify(entry)).sort()

const read = 'GET /player/tokens/raw'

describe('4.8 the player’s NFTs (D24)', () => {
  test('are exactly those owned and allowlisted, complete in one response or over several', async () => {
    const property = fc.asyncProperty(situation, async ({ wallets: clumps, chains, answers }) => {
      const wallets = clumps.map(newAddress)
      const held = deal(wallets, clumps)
      const entries = expected(held, chains)
      const { playerToken } = await service.newPlayer(wallets)
      const complete = await readThrough(service, read, { apiKey, playerToken, query: { chains } })
      if (entries.length <= 1_000) {
        expect(complete).toHaveLength(1)
        expect(complete[0]?.json).toEqual({
          data: entries,
          success: true,
          asOf: expect.any(String),
        })
      }
      const limit = Math.max(1, Math.ceil(entries.length / answers))
      const query = { chains, limit: String(limit) }
      const paged = await readThrough(service, read, { apiKey, playerToken, query })
      for (const { json } of paged) expect(json.data.length).toBeLessThanOrEqual(limit)
      expect(sorted(paged.flatMap(({ json }) => json.data))).toEqual(sorted(entries))
    })
    // Shrinking a failed case adds little information, and takes minutes.
    await fc.assert(property, { seed, numRuns: 12, endOnFailure: true })
  })
})
