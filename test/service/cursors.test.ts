import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { createWorld } from '@player-nfts/local/indexer/world'
import { numbers } from '@player-nfts/local/samples'
import { afterAll, expect, test } from 'vitest'
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

test('D25: a cursor of a response returns the next page', async () => {
  const { sent } = await underway()
  expect(tokenIdsOf(await call(read, sent))).toEqual(numbers(121, 240))
})

const garbage = ['garbage', 'AAAA', '....', 'null', '\0', 'A'.repeat(4096), 'eyJzIjowfQ']

type Underway = Awaited<ReturnType<typeof underway>>

test.each<[string, (before: Underway) => Sent[] | Promise<Sent[]>]>([
  [
    'is none that was given out',
    ({ sent }) => garbage.map((cursor) => ({ ...sent, query: { ...sent.query, cursor } })),
  ],
  [
    'is of another product',
    async ({ sent }) => [{ ...sent, apiKey: await productWith(service, contract) }],
  ],
  [
    'is of another player, even one with the same wallets',
    async ({ sent }) => [{ ...sent, playerToken: (await newPlayer(wallets)).playerToken }],
  ],
  [
    'is of another filter',
    ({ sent, cursor }) =>
      [[], 'BSC', 'POLYGON,BSC'].map((chains) => ({ ...sent, query: { chains, cursor } })),
  ],
])('D25: a cursor that %s is refused', async (_, changed) => {
  for (const sent of await changed(await underway())) await expectRefused(sent)
})

test('D25: a cursor of the other operation is refused', async () => {
  await expectRefused((await underway()).sent, 'GET /player/tokens')
  await expectRefused((await underway('GET /player/tokens')).sent)
})

test('D25: a cursor is of any spelling of the filter, any limit, and any token of the player', async () => {
  const { sent, cursor, player } = await underway()
  const userJwt = await service.userJwt(player)
  const { json } = await call('GET /player/token', { userJwt })
  const query = { chains: ['POLYGON,', 'POLYGON'], limit: '3', cursor }
  const answer = await call(read, { ...sent, playerToken: json.data.token, query })
  expect(tokenIdsOf(answer)).toEqual(numbers(121, 123))
})

const unbind = (apiKey: string) =>
  call('DELETE /product/contract', {
    apiKey,
    query: { contractAddress: address, chain: 'POLYGON' },
  })

test.each<[string, (before: Underway) => Promise<unknown>]>([
  ['a contract has been unbound', ({ apiKey }) => unbind(apiKey)],
  [
    'a contract has been unbound and connected again',
    async ({ apiKey }) => {
      await unbind(apiKey)
      await allowlist(service, apiKey, contract)
    },
  ],
  [
    'a contract has been added',
    ({ apiKey }) => allowlist(service, apiKey, { ...contract, address: newAddress() }),
  ],
  [
    'the player’s wallets have changed',
    async ({ player }) => {
      const userJwt = await service.userJwt({ ...player, wallets: [...wallets, newAddress()] })
      await call('GET /player/token', { userJwt })
    },
  ],
])('D25: a cursor expires when %s', async (_, change) => {
  const before = await underway()
  await change(before)
  expectProblem(await call(read, before.sent), 'cursor_expired')
})

test('D25: a cursor does not expire when NFTs have been added or removed, or contracts outside the filter', async () => {
  const { apiKey, sent } = await underway()
  const query = { contractAddress: address, chain: 'POLYGON', tokens: ['5', '130', '131'] }
  await call('DELETE /product/tokens', { apiKey, query })
  await allowlist(service, apiKey, { ...contract, tokenIds: ['131', '9999'] })
  await allowlist(service, apiKey, { ...contract, chain: 'BSC' })
  const expected = [...numbers(121, 129), ...numbers(131, 241)]
  expect(tokenIdsOf(await call(read, sent))).toEqual(expected)
})
