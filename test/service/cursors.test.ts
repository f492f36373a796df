import { afterAll, describe, expect, test } from 'vitest'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { createWorld } from '../../local/indexer/world.ts'
import { numbers } from '../../local/samples/samples.ts'
import type { Sent } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { allowlist, productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const read = 'GET /player/tokens/raw'
const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService({ INDEXER_URL: indexer.url }, afterAll)
const { call, newPlayer } = service

const address = newAddress()
const wallets = [newAddress()]
ownedBy(world, { network: 'polygon-mainnet', address }, wallets[0] ?? '', numbers(1, 250))
const contract = { chain: 'POLYGON', address, tokenIds: numbers(1, 250) }

/** The token identifiers of the entries of a response. */
const tokenIdsOf = ({ json }: { json: { data: { tokenId: string }[] } }) =>
  json.data.map(({ tokenId }) => tokenId)

/**
 * A product, a player, and a request with a cursor: the first 120 of 250 NFTs are read, so that the
 * cursor points into the indexer's second page.
 */
async function underway(path = read) {
  const [apiKey, player] = await Promise.all([productWith(service, contract), newPlayer(wallets)])
  const { playerToken } = player
  const query = { chains: 'POLYGON', limit: '120' }
  const { json } = await call(path, { apiKey, playerToken, query })
  const sent = { apiKey, playerToken, query: { ...query, cursor: json.nextCursor as string } }
  return { apiKey, player, sent, cursor: sent.query.cursor }
}

/** Expects that a cursor is rejected as not created for this request. */
async function expectRefused(sent: Sent, path = read): Promise<void> {
  expect(expectProblem(await call(path, sent), 'invalid_request')).toEqual([
    { in: 'query', path: 'cursor', message: 'was not given out for this request' },
  ])
}

describe('D25: a cursor is authenticated', () => {
  test('a cursor of a response returns the next page', async () => {
    const { sent } = await underway()
    expect(tokenIdsOf(await call(read, sent))).toEqual(numbers(121, 240))
  })

  test('garbage is 400', async () => {
    const { sent } = await underway()
    for (const cursor of [
      'garbage',
      'AAAA',
      '....',
      'null',
      '\0',
      'A'.repeat(4096),
      'eyJzIjowfQ',
    ]) {
      await expectRefused({ ...sent, query: { ...sent.query, cursor } })
    }
  })
})

describe('D25: a cursor is tied to', () => {
  test('the product', async () => {
    const { sent } = await underway()
    await expectRefused({ ...sent, apiKey: await productWith(service, contract) })
  })

  test('the player, even if another player has the same wallets', async () => {
    const { sent } = await underway()
    const { playerToken } = await newPlayer(wallets)
    await expectRefused({ ...sent, playerToken })
  })

  test('the operation', async () => {
    const { sent } = await underway()
    await expectRefused(sent, 'GET /player/tokens')
    const { sent: structured } = await underway('GET /player/tokens')
    await expectRefused(structured)
  })

  test('the filter', async () => {
    const { sent, cursor } = await underway()
    for (const chains of [[], 'BSC', 'POLYGON,BSC']) {
      await expectRefused({ ...sent, query: { chains, cursor } })
    }
  })

  test('not the spelling of the filter, the limit, or the individual player token', async () => {
    const { sent, cursor, player } = await underway()
    const userJwt = await service.userJwt(player)
    const { json } = await call('GET /player/token', { userJwt })
    const query = { chains: ['POLYGON,', 'POLYGON'], limit: '3', cursor }
    const answer = await call(read, { ...sent, playerToken: json.data.token, query })
    expect(tokenIdsOf(answer)).toEqual(numbers(121, 123))
  })
})

describe('D25: a cursor expires', () => {
  test('when a contract has been unbound', async () => {
    const { apiKey, sent } = await underway()
    const query = { contractAddress: address, chain: 'POLYGON' }
    await call('DELETE /product/contract', { apiKey, query })
    expectProblem(await call(read, sent), 'cursor_expired')
  })

  test('when a contract has been unbound and connected again', async () => {
    const { apiKey, sent } = await underway()
    const query = { contractAddress: address, chain: 'POLYGON' }
    await call('DELETE /product/contract', { apiKey, query })
    await allowlist(service, apiKey, contract)
    expectProblem(await call(read, sent), 'cursor_expired')
  })

  test('when a contract has been added', async () => {
    const { apiKey, sent } = await underway()
    await allowlist(service, apiKey, { ...contract, address: newAddress() })
    expectProblem(await call(read, sent), 'cursor_expired')
  })

  test('when the player’s wallets have changed', async () => {
    const { player, sent } = await underway()
    const userJwt = await service.userJwt({ ...player, wallets: [...wallets, newAddress()] })
    await call('GET /player/token', { userJwt })
    expectProblem(await call(read, sent), 'cursor_expired')
  })

  test('but not when NFTs have been added or removed', async () => {
    const { apiKey, sent } = await underway()
    const query = { contractAddress: address, chain: 'POLYGON', tokens: ['5', '130', '131'] }
    await call('DELETE /product/tokens', { apiKey, query })
    await allowlist(service, apiKey, { ...contract, tokenIds: ['131', '9999'] })
    const expected = [...numbers(121, 129), ...numbers(131, 241)]
    expect(tokenIdsOf(await call(read, sent))).toEqual(expected)
  })

  test('but not when contracts outside the filter have changed', async () => {
    const { apiKey, sent } = await underway()
    await allowlist(service, apiKey, { ...contract, chain: 'BSC' })
    expect((await call(read, sent)).status).toBe(200)
  })
})
