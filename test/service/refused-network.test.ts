import { afterAll, expect, test } from 'vitest'
import { sampleWorld } from '../../local/samples/sample-world.ts'
import { samples } from '../../local/samples/samples.ts'
import { startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'

const key = 'the-key-of-an-app-without-bnb'
const { url: target } = await startTestIndexer(sampleWorld(), afterAll)
/** Refuses a network as Alchemy does, whose response contains the key. */
const proxy = await startFaultProxy(
  {
    target,
    onRequest: ({ path }) =>
      path.startsWith('/bnb-mainnet/') ? { status: 403, body: `not enabled: ${key}` } : undefined,
  },
  afterAll,
)
const service = await startOwnService({ INDEXER_URL: proxy.url, ALCHEMY_API_KEY: key }, afterAll)

/** The log line of the latest request to an operation. */
const lineOf = async (operation: string) => {
  const lines = () =>
    service.log.map((line) => JSON.parse(line)).filter((line) => line.operation === operation)
  await expect.poll(lines).not.toEqual([])
  return lines().at(-1)
}

test('D56: a network that is not enabled in the Alchemy app has its own reason in the log', async () => {
  const { keepers, vessels } = samples.collections
  const contractOf = ({ chain, address }: typeof keepers) => ({ chain, address, tokenIds: ['1'] })
  const apiKey = await productWith(service, contractOf(keepers), contractOf(vessels))
  const { playerToken } = await service.newPlayer(samples.players.oneWallet.wallets)

  const read = { apiKey, playerToken }
  expectProblem(await service.call('GET /player/tokens/raw', read), 'indexer_unavailable')
  const body = { smartContract: vessels.address }
  expectProblem(await service.call('POST /tokens/refresh', { apiKey, body }), 'indexer_unavailable')
  for (const operation of ['getRawMetadata', 'refreshMetadata']) {
    expect(await lineOf(operation)).toMatchObject({
      status: 503,
      reason: 'HTTP 403: is the network bnb-mainnet enabled in the app of the key?',
    })
  }
  expect(service.log.join()).not.toContain(key)

  // The other chains are read as before.
  const onPolygon = await service.call('GET /player/tokens/raw', {
    ...read,
    query: { chains: 'POLYGON' },
  })
  expect(onPolygon.status).toBe(200)
})
