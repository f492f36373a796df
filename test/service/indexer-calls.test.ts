import { afterAll, describe, expect, test } from 'vitest'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { createWorld, setBalance } from '../../local/indexer/world.ts'
import { numbers, samples } from '../../local/samples/samples.ts'
import { storeContracts } from '../support/aws/stored-contracts.ts'
import { productWith, readThrough, type ToAllowlist } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

/** The number of indexer calls is exactly that of the budget. */

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService({ INDEXER_URL: indexer.url }, afterAll)
const { call, newPlayer, newProduct } = service
const read = 'GET /player/tokens/raw'
const paths = [read, 'GET /player/tokens']

/** The indexer calls for all NFTs of a player, by method; both forms of metadata take the same calls. */
async function asked(
  apiKey: string,
  wallets: readonly string[],
  query: Record<string, string> = {},
): Promise<Record<string, number>> {
  const { playerToken } = await newPlayer(wallets)
  const counts: Record<string, number>[] = []
  for (const path of paths) {
    indexer.requests.clear()
    await readThrough(service, path, { apiKey, playerToken, query })
    counts.push(Object.fromEntries(indexer.requests))
  }
  const [raw = {}, structured] = counts
  expect(structured).toEqual(raw)
  return raw
}

const contractWith = (tokenIds: readonly string[], chain = 'POLYGON'): ToAllowlist => ({
  chain,
  address: newAddress(),
  tokenIds,
})

const contractsOn = (chain: string, count: number): ToAllowlist[] =>
  Array.from({ length: count }, () => contractWith(['1'], chain))

/** A wallet that holds the tokens 1 to `count` of a contract. */
function holderOf({ address }: ToAllowlist, count: number): string {
  const wallet = newAddress()
  ownedBy(world, { network: 'polygon-mainnet', address }, wallet, numbers(1, count))
  return wallet
}

describe('D25: one indexer call for each wallet, chain and 45 contracts', () => {
  test.each([
    { contracts: [1, 1], wallets: 20, calls: 40 },
    { contracts: [45, 0], wallets: 1, calls: 1 },
    { contracts: [46, 2], wallets: 3, calls: 9 },
  ])('$contracts contracts, $wallets wallets: $calls', async ({ contracts, wallets, calls }) => {
    const [polygon = 0, bsc = 0] = contracts
    const lists = [...contractsOn('POLYGON', polygon), ...contractsOn('BSC', bsc)]
    const apiKey = await productWith(service, ...lists)
    const owners = Array.from({ length: wallets }, newAddress)
    expect(await asked(apiKey, owners)).toEqual({ getNFTsForOwner: calls })
  })

  test('no call for chains that the filter excludes', async () => {
    const lists = [...contractsOn('POLYGON', 2), ...contractsOn('BSC', 2)]
    const apiKey = await productWith(service, ...lists)
    const owners = [newAddress(), newAddress()]
    expect(await asked(apiKey, owners, { chains: 'BSC' })).toEqual({ getNFTsForOwner: 2 })
  })
})

describe('D25: one more indexer call for each further 100 NFTs', () => {
  test.each([
    [0, 1],
    [100, 1],
    [101, 2],
    [1_500, 15],
  ])('%i NFTs: %i calls', async (count, calls) => {
    const contract = contractWith(['1', '2', '3'])
    const apiKey = await productWith(service, contract)
    expect(await asked(apiKey, [holderOf(contract, count)])).toEqual({ getNFTsForOwner: calls })
  })

  test('no page is read before an answer needs it', async () => {
    const contract = contractWith(numbers(1, 100))
    const apiKey = await productWith(service, contract)
    const { playerToken } = await newPlayer([holderOf(contract, 1_500)])
    indexer.requests.clear()
    await call(read, { apiKey, playerToken, query: { limit: '100' } })
    expect(indexer.requests.get('getNFTsForOwner')).toBe(1)
  })
})

describe('D24: no indexer call where there is nothing to read', () => {
  test.each<[string, number, number, Record<string, string>]>([
    ['a player without wallets', 1, 0, {}],
    ['a product without contracts', 0, 2, {}],
    ['a filter without a connected contract', 1, 2, { chains: 'BSC' }],
    ['a filter with only a retired chain', 1, 2, { chains: 'MUMBAI' }],
    ['a filter with only an uncovered chain', 1, 2, { chains: 'BSC_TESTNET' }],
  ])('%s', async (_, contracts, wallets, query) => {
    const apiKey = await productWith(service, ...contractsOn('POLYGON', contracts))
    expect(await asked(apiKey, Array.from({ length: wallets }, newAddress), query)).toEqual({})
  })

  test.each(['MUMBAI', 'BSC_TESTNET'])('D56: contracts on %s', async (chain) => {
    const apiKey = await newProduct()
    await storeContracts(service, apiKey, ...contractsOn(chain, 2))
    expect(await asked(apiKey, [newAddress()])).toEqual({})
    expect(await asked(apiKey, [newAddress()], { chains: chain })).toEqual({})
  })

  test('4.11: creating a player token', async () => {
    indexer.requests.clear()
    await newPlayer([newAddress()])
    expect(indexer.requests.size).toBe(0)
  })

  test('D3: a request that is refused', async () => {
    const apiKey = await newProduct()
    const { playerToken } = await newPlayer([newAddress()])
    indexer.requests.clear()
    await call(read, { apiKey: 'nonsense', playerToken })
    await call(read, { apiKey, playerToken: 'nonsense' })
    await call(read, { apiKey, playerToken, query: { limit: '0' } })
    await call('GET /player/details', { playerToken: 'nonsense' })
    expect(indexer.requests.size).toBe(0)
  })
})

describe('D29: one indexer call for the balance of each wallet', () => {
  const [wallet = ''] = samples.players.oneWallet.wallets
  const { address } = samples.serviceToken
  setBalance(world, { network: 'polygon-mainnet', address, wallet }, 1n)

  test.each([
    [0, {}],
    [1, { alchemy_getTokenBalances: 1 }],
    [20, { alchemy_getTokenBalances: 20 }],
  ])('%i wallets', async (count, counts) => {
    const { playerToken } = await newPlayer(Array.from({ length: count }, newAddress))
    indexer.requests.clear()
    const answer = await call('GET /player/details', { playerToken })
    expect(answer.status, answer.text).toBe(200)
    expect(Object.fromEntries(indexer.requests)).toEqual(counts)
  })
})
