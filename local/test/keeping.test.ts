import { afterAll, describe, expect, test } from 'vitest'
import { lineOf } from '../../test/support/requests/log-lines.ts'
import { dataIn, productWith } from '../../test/support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../../test/support/services/own-service.ts'
import { newAddress } from '../../test/support/services/service.ts'
import { move } from '../indexer/moving.ts'
import { networkOf, sampleWorld } from '../samples/sample-world.ts'
import { samples } from '../samples/samples.ts'

const world = sampleWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService(
  {
    ...{ INDEXER_URL: indexer.url, FOLLOWED_CHAINS: 'POLYGON,BSC', KEPT_FROM_READS: '1' },
    ...{ SETTLING_SECONDS: '1', OWNERS_LAG_SECONDS: '1', FOLLOW_POLL_SECONDS: '1' },
  },
  afterAll,
)
const { call, log, newPlayer } = service

const { keepers, curios, lanterns, crates } = samples.collections
const contracts = [keepers, curios, lanterns, crates]
const { wallets } = samples.players.threeWallets
const apiKey = await productWith(
  service,
  ...contracts.map((each) => ({ ...each, tokenIds: ['*'] })),
)
const { playerToken } = await newPlayer(wallets)

/** The NFTs of a read that a game makes, and the calls of the indexer that its log line counts. */
async function read() {
  const answer = await call('GET /player/tokens/raw', { apiKey, playerToken })
  expect(answer.status, answer.text).toBe(200)
  const { indexerCalls = 0 } = await lineOf(log, answer)
  const nfts: Record<string, unknown>[] = answer.json.data
  return { nfts, data: dataIn(answer), indexerCalls: Number(indexerCalls) }
}

/** Reads until a keeper is in the answer, or is not any more. Returns the last read, and the calls of all. */
async function readUntil(tokenId: string, isThere: boolean) {
  let found = await read()
  let allCalls = found.indexerCalls
  const hasIt = async () => {
    found = await read()
    allCalls += found.indexerCalls
    return found.nfts.some(
      (nft) => nft['address'] === keepers.address && nft['tokenId'] === tokenId,
    )
  }
  await expect.poll(hasIt, { timeout: 60_000, interval: 500 }).toBe(isThere)
  return { ...found, allCalls }
}

async function ownership(): Promise<object[]> {
  const { json } = await call('GET /product/contracts', { apiKey })
  return contracts.map(
    ({ address }) =>
      json.data.find((each: { address: string }) => each.address === address).ownership,
  )
}

/** Moves an NFT in the sample world as `npm run move-nft` does. */
function moveKeeper(tokenId: string, from: string, to: string): void {
  const transaction = { world, network: networkOf(keepers), now: Date.now() }
  move(transaction, { contractAddress: keepers.address, from, to, tokenId })
}

// The tests build on each other: the snapshots take minutes.
describe('D152: what a newcomer sees of a sample world', { timeout: 300_000 }, () => {
  let firstRead: Awaited<ReturnType<typeof read>>
  let [keeper, wallet] = ['', '']
  const stranger = newAddress()

  test('the first read asks the indexer, and its contracts are kept from then on', async () => {
    expect(await ownership()).toEqual(contracts.map(() => ({ kept: false, reason: 'not_read' })))
    firstRead = await read()
    const { tokenId, owner } =
      firstRead.nfts.find(({ address }) => address === keepers.address) ?? {}
    ;[keeper, wallet] = [`${tokenId}`, `${owner}`]
    expect(firstRead.indexerCalls).toBeGreaterThan(0)
    await expect.poll(ownership).toContainEqual({ kept: false, reason: 'in_preparation' })
    const calls = async () => (await read()).indexerCalls
    await expect.poll(calls, { timeout: 240_000, interval: 2_000 }).toBe(0)
    for (const each of await ownership()) {
      expect(each).toEqual({ kept: true, since: expect.stringMatching(/^20.*Z$/) })
    }
    expect((await read()).data).toBe(firstRead.data)
  })

  test('a moved NFT is in the answers within seconds, and none of them has asked', async () => {
    moveKeeper(keeper, wallet, stranger)
    const without = await readUntil(keeper, false)
    expect(without.nfts).toHaveLength(firstRead.nfts.length - 1)
    moveKeeper(keeper, stranger, wallet)
    const again = await readUntil(keeper, true)
    expect(again.data).toBe(firstRead.data)
    expect(without.allCalls + again.allCalls).toBe(0)
  })
})
