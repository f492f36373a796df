import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ownedBy } from '../../local/indexer/holdings.ts'
import type { LambdaHost } from '../../local/lambda/lambda-host.ts'
import { capturedLog } from '../support/memory/http-chain.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

// In Lambda, each of the requests that arrive at the same time can have a container of its own. The containers of this
// test are the handlers of the function with all their adapters, which share nothing but the table.

const service = await startCountedService()

const limits = {
  INDEXER_CALLS_PER_PRODUCT_AND_MINUTE: '75',
  INDEXER_CALLS_PER_PRODUCT_AND_DAY: '520',
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE: '37',
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY: '260',
}

// Only the calls of the indexer are counted.
const variables = { ...limits, AWS_ENDPOINT_URL: service.stack.aws.endpoint ?? '' }
const { env } = service.functionsWith(variables)['get-raw-metadata'] ?? {}
Object.assign(process.env, env)
// They read the environment when they are imported.
const { lambda } = await import('../../lib/http/lambda.ts')
const { getRawMetadata } = await import('../../functions/get-raw-metadata/handler.ts')
const { playerNftsPorts } = await import('../../functions/composition/player-nfts-ports.ts')

const context = {
  awsRequestId: 'invocation',
  functionName: 'the-deployment-get-raw-metadata',
  functionVersion: '1',
  getRemainingTimeInMillis: () => 29_000,
}

/** A new container of the function, before its first call. */
function newContainer(): LambdaHost {
  const handler = lambda(getRawMetadata, playerNftsPorts())
  return {
    async invoke(_, event) {
      const answer = await handler(event as never, context as never)
      return { ok: true, payload: JSON.stringify(answer) }
    },
    close: async () => undefined,
  }
}

const containers = (count: number) => Array.from({ length: count }, newContainer)

const readAll = (hosts: readonly LambdaHost[], sent: Sent): Promise<Received[]> =>
  Promise.all(hosts.map((host) => invokeFunction(host, 'getRawMetadata', sent)))

/** A product with one allowlisted NFT, and a player with this number of wallets, who has it in each of them. */
async function reading(wallets: number): Promise<{ keyed: Sent; keyless: Sent }> {
  const apiKey = await service.newProduct()
  const change = { apiKey, body: { clientAccess: true } }
  const { productId } = (await service.call('PATCH /product', change)).json.data
  const contractAddress = newAddress()
  const body = allowlistingBody({ contractAddress, tokens: ['1'] })
  await service.call('POST /product/tokens', { apiKey, body })
  const owners = Array.from({ length: wallets }, newAddress)
  const contract = { network: 'polygon-mainnet', address: contractAddress } as const
  for (const owner of owners) ownedBy(service.world, contract, owner, ['1'])
  const { playerToken } = await service.newPlayer(owners)
  return { keyed: { apiKey, playerToken }, keyless: { playerToken, query: { productId } } }
}

/** The calls that the indexer receives while `run` runs. */
const callsOf = async (run: () => Promise<unknown>): Promise<number> =>
  (await service.countsOf(run))['getNFTsForOwner'] ?? 0

const statusesOf = (answers: readonly Received[]) =>
  [...new Set(answers.map(({ status }) => status))].toSorted()

beforeEach(() => {
  capturedLog()
  // No limit is paid back while the clock stands still.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})

afterEach(() => vi.useRealTimers())

describe('D78: 100 containers at once, with a full budget', () => {
  test.each([1, 20])(
    'D78: with an API key, for a player with %i wallets, make no more calls than the limit',
    async (wallets) => {
      const { keyed } = await reading(wallets)
      const answers: Received[] = []
      const calls = await callsOf(async () => {
        answers.push(...(await readAll(containers(100), keyed)))
      })
      expect(calls).toBeLessThanOrEqual(75)
      expect(statusesOf(answers)).toContain(429)
    },
  )

  test('D51, D78: without an API key, make no more calls than their share, and the key has the rest', async () => {
    const { keyed, keyless } = await reading(20)
    const [server] = containers(1) as [LambdaHost]
    const ofClients = await callsOf(() => readAll(containers(100), keyless))
    expect(ofClients).toBeLessThanOrEqual(37)
    const ofServer: Received[] = []
    const calls = await callsOf(async () => {
      ofServer.push(await invokeFunction(server, 'getRawMetadata', keyed))
    })
    expect([ofServer[0]?.status, calls]).toEqual([200, 20])
  })

  test('D78: within ten seconds, have no more calls than the limit and what ten seconds give back', async () => {
    const { keyed } = await reading(8)
    const hosts = containers(100)
    const began = Date.now()
    const calls = await callsOf(async () => {
      for (const seconds of [0, 2, 5, 10]) {
        vi.setSystemTime(began + seconds * 1_000)
        await readAll(hosts, keyed)
      }
    })
    expect(calls).toBeGreaterThan(37)
    expect(calls).toBeLessThanOrEqual(75 + (10 * 75) / 60)
  })
})
