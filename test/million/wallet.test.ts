import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { createWorld } from '../../local/indexer/world.ts'
import { numbers } from '../../local/samples/samples.ts'
import { allowlist, entriesOf, readThrough, type ToAllowlist } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService({ INDEXER_URL: indexer.url }, afterAll)

const networks = { BSC: 'bnb-mainnet', POLYGON: 'polygon-mainnet' } as const
const [wallet, other] = [newAddress(), newAddress()]

/** An NFT in a wallet, as one text. */
const nameOf = (nft: { owner: string; chain: string; address: string; tokenId: string }) =>
  `${nft.owner} ${nft.chain} ${nft.address} ${nft.tokenId}`

/** The holdings of the wallets for a contract: the first has the tokens 1 to `count`, the second some of them. */
interface Held {
  chain: 'BSC' | 'POLYGON'
  address: string
  count: number
}

/** 300 contracts on two chains: one with 8,000 NFTs, the others with 6 or 7 each. */
const held: Held[] = numbers(0, 299).map((number) => ({
  chain: Number(number) % 5 === 0 ? 'BSC' : 'POLYGON',
  address: newAddress(),
  count: number === '7' ? 8_000 : Number(number) <= 206 ? 7 : 6,
}))

/** All NFTs of the large contract, and all NFTs of each other contract except token 3. */
const listedOf = ({ count, ...contract }: Held): ToAllowlist => {
  const tokenIds = numbers(1, count).filter((tokenId) => count > 7 || tokenId !== '3')
  return { ...contract, tokenIds }
}

const alsoHeldBy = (owner: string, tokenId: string) =>
  owner === wallet || Number(tokenId) % 40 === 1

describe('D25: two wallets, one with 10,000 NFTs of 300 contracts, 8,000 of them of one contract', () => {
  let sent: { apiKey: string; playerToken: string }
  let expected: string[]

  beforeAll(async () => {
    expect(held.reduce((sum, { count }) => sum + count, 0)).toBe(10_000)
    for (const { chain, address, count } of held) {
      const contract = { network: networks[chain], address, tokenType: 'ERC1155' } as const
      const tokenIds = numbers(1, count)
      for (const owner of [wallet, other]) {
        ownedBy(
          world,
          contract,
          owner,
          tokenIds.filter((tokenId) => alsoHeldBy(owner, tokenId)),
        )
      }
    }
    const apiKey = await service.newProduct()
    const queue = held.values()
    const runs = Array.from({ length: 8 }, async () => {
      for (const contract of queue) await allowlist(service, apiKey, listedOf(contract))
    })
    await Promise.all(runs)
    const { playerToken } = await service.newPlayer([wallet, other])
    sent = { apiKey, playerToken }
    expected = held.flatMap((contract) => {
      const { chain, address, tokenIds } = listedOf(contract)
      return [wallet, other].flatMap((owner) =>
        tokenIds
          .filter((tokenId) => alsoHeldBy(owner, tokenId))
          .map((tokenId) => nameOf({ owner, chain, address, tokenId })),
      )
    })
  }, 60_000)

  test.each<[string, { limit?: string }]>([
    ['GET /player/tokens/raw', {}],
    ['GET /player/tokens', {}],
    ['GET /player/tokens', { limit: '937' }],
  ])('%s %j: every expected entry exactly once', async (path, query) => {
    const answers = await readThrough(service, path, { ...sent, query })
    const names = entriesOf(answers).map(nameOf)
    expect(new Set(names).size).toBe(names.length)
    expect(names.toSorted()).toEqual(expected.toSorted())
    // Every response but the last has the maximum size.
    const limit = Number(query.limit ?? 1_000)
    for (const { json } of answers.slice(0, -1)) expect(json.data).toHaveLength(limit)
  })
})
