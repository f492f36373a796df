import { describe, expect, test } from 'vitest'
import { transfer } from '../../local/indexer/chain/movements.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { createWorld } from '../../local/indexer/world.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const network = 'polygon-mainnet'

/** A service that follows Polygon, and a player whose wallet has the tokens 1 and 2 of a contract. */
async function startFollowing() {
  const world = createWorld()
  const indexer = await startTestIndexer(world)
  const settings = { FOLLOWED_CHAINS: 'POLYGON', SETTLING_SECONDS: '1' }
  const service = await startOwnService({ ...settings, INDEXER_URL: indexer.url })
  const [address, wallet] = [newAddress(), newAddress()]
  const tokenIds = ['1', '2']
  ownedBy(world, { network, address }, wallet, tokenIds)
  const apiKey = await productWith(service, { chain: 'POLYGON', address, tokenIds })
  const { playerToken } = await service.newPlayer([wallet])
  /** The player's NFTs, and the moment that the answer speaks of. */
  const read = async () => {
    const { status, json } = await service.call('GET /player/tokens', { apiKey, playerToken })
    expect(status).toBe(200)
    const { data, asOf } = json as { data: { tokenId: string }[]; asOf: string }
    return { tokenIds: data.map(({ tokenId }) => tokenId), asOf: Date.parse(asOf) }
  }
  const sell = (tokenId: string, at: number) =>
    transfer(world, { network, address, tokenId }, { from: wallet, to: newAddress() }, at)
  /** Whether an answer came without a call of the indexer. */
  const isRemembered = async () => {
    const before = indexer.requests.get('getNFTsForOwner')
    await read()
    return indexer.requests.get('getNFTsForOwner') === before
  }
  return { read, sell, isRemembered }
}

describe('D66: on a followed chain', () => {
  test('an answer is remembered until an NFT moves', { timeout: 180_000 }, async () => {
    const { read, sell, isRemembered } = await startFollowing()
    expect((await read()).tokenIds).toEqual(['1', '2'])
    await expect.poll(isRemembered, { timeout: 90_000, interval: 500 }).toBe(true)
    const soldAt = Date.now()
    sell('1', soldAt)
    for (let answer = await read(); answer.tokenIds.length > 1; answer = await read()) {
      // An answer that still has the NFT speaks of a moment before the block of the transfer.
      expect(answer.asOf).toBeLessThan(soldAt + 2_000)
    }
    expect((await read()).tokenIds).toEqual(['2'])
    await expect.poll(isRemembered, { interval: 500 }).toBe(true)
    expect((await read()).tokenIds).toEqual(['2'])
  })
})
