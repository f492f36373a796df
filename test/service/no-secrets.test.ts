import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, routes } from '../../lib/contract/routes.ts'
import { samples } from '../../local/samples/samples.ts'
import { callName, documentedInput } from '../support/accepted-requests.ts'
import type { Fault } from '../support/proxies/fault-proxy.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { productWith } from '../support/requests/reading.ts'
import {
  type FaultyService,
  indexerKey,
  startFaultyService,
} from '../support/services/faulty-service.ts'

/** What a caller has that nobody else may see. */
interface Credentials {
  apiKey: string
  userJwt: string
  playerToken: string
}

const { gear } = samples.collections
const operations = Object.keys(routes) as OperationId[]

let service: FaultyService
let good: Credentials

/** Of the right forms, but nobody's; and of no form at all. */
const unknown: Credentials = {
  apiKey: randomUUID(),
  userJwt: `eyJ${Buffer.from('alg').toString('hex')}.eyJ${randomUUID()}.${randomUUID()}`,
  playerToken: `eyJ${randomUUID()}.eyJ${randomUUID()}.x`,
}
const garbage: Credentials = {
  apiKey: 'garbage-for-an-api-key',
  userJwt: 'garbage-for-a-user-jwt',
  playerToken: 'garbage-for-a-player-token',
}

/** Stands in every query string. */
const inQuery = 'only-the-query-string-says-this'

beforeAll(async () => {
  service = await startFaultyService()
  good = await newCredentials()
  await askAll(good)
}, 60_000)
afterEach(() => {
  service.aws.interfere({})
  service.indexer.interfere({})
})

async function newCredentials(): Promise<Credentials> {
  const { wallets } = samples.players.threeWallets
  const { playerToken, ...user } = await service.newPlayer(wallets)
  const apiKey = await productWith(service, gear)
  return { apiKey, playerToken, userJwt: await service.userJwt(user) }
}

/** Every operation with these credentials, whether it asks for them or not; `query` beside them. */
const askAll = (
  credentials: Credentials,
  query: Record<string, string> = {},
): Promise<Received[]> =>
  Promise.all(operations.map((id) => service.call(callName(id), requestOf(id, credentials, query))))

function requestOf(id: OperationId, credentials: Credentials, query: Record<string, string>): Sent {
  const input = documentedInput(id)
  // An unbinding names a contract that is not connected, so that the allowlist stays as it is.
  const chain = routes[id].method === 'DELETE' ? { chain: 'BSC' } : {}
  return {
    ...credentials,
    ...input,
    query: { ...input.query, ...chain, ...query, utm_source: inQuery },
  }
}

/** Whatever could be recognized in a text: the secrets themselves, and the parts of those that have some. */
function recognizable(...callers: readonly Credentials[]): string[] {
  const credentials = callers.flatMap(({ apiKey, userJwt, playerToken }) => [
    apiKey,
    ...userJwt.split('.'),
    ...playerToken.split('.'),
  ])
  // Headers of JWTs and other short parts say nothing.
  const telling = credentials.filter((part) => part.length >= 20 && !isHeader(part))
  return [...telling, inQuery, indexerKey, 'utm_source', 'Bearer eyJ']
}

const isHeader = (part: string) => Buffer.from(part, 'base64url').toString().includes('"alg"')

/** Expects that no line of the log, and none of these answers, headers included, tells a secret. */
async function expectNothingTold(
  answers: readonly Received[],
  ...callers: readonly Credentials[]
): Promise<void> {
  const ids = answers.map(({ headers }) => headers.get('apigw-requestid') ?? '')
  // Every request leaves its one line, though perhaps a moment after its answer.
  await expect.poll(() => ids.map(linesOf)).toEqual(ids.map(() => 1))
  const told = answers
    .filter(({ json }) => json?.data?.apiKey === undefined && json?.data?.token === undefined)
    .map(({ headers, text }) => JSON.stringify([...headers]) + text)
  const everything = [...service.log, ...told].join('\n').toLowerCase()
  for (const secret of recognizable(...callers)) {
    expect(everything).not.toContain(secret.toLowerCase())
  }
}

/** How many lines of the log are those of a request, beside what was wrong in the service. */
const linesOf = (requestId: string): number =>
  service.log
    .map((line) => JSON.parse(line))
    .filter((line) => line.requestId === requestId && line.operation).length

describe('D5: no log line and no answer holds an API key, a token or a query string', () => {
  test('when all goes well', async () => {
    const answers = await askAll(good)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]))
    await expectNothingTold(answers, good)
  })

  test('when credentials are refused', async () => {
    const upper = { ...unknown, apiKey: unknown.apiKey.toUpperCase() }
    const mixed = { ...good, userJwt: `${good.userJwt}x`, playerToken: `${good.playerToken}x` }
    const answers = await Promise.all([unknown, upper, garbage, mixed].map((one) => askAll(one)))
    expect(answers.flat().filter(({ status }) => status === 401).length).toBeGreaterThan(30)
    await expectNothingTold(answers.flat(), good, unknown, garbage)
  })

  test('when they are sent where they do not belong', async () => {
    const { apiKey, playerToken, userJwt } = good
    const swapped = { apiKey: playerToken, userJwt: apiKey, playerToken: userJwt }
    const answers = await askAll(swapped, { cursor: userJwt, limit: apiKey, chains: playerToken })
    answers.push(
      ...(await askAll(good, { cursor: userJwt, limit: apiKey, chains: playerToken })),
      await service.call('POST /product/tokens', {
        apiKey,
        body: { chain: apiKey, contractAddress: playerToken, tokens: [userJwt], [apiKey]: apiKey },
      }),
      await service.call('POST /product', { body: `{"name": "${apiKey}", ${userJwt}` }),
      await service.call('GET /player/details', {
        playerToken,
        headers: { 'x-player-token': userJwt },
      }),
    )
    expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThan(5)
    await expectNothingTold(answers, good)
  })

  /** An upstream that says again whatever it may have heard, in every place where an error may hold it. */
  const indiscreet = (): string =>
    `GET /v2/${indexerKey}?playerToken=${good.playerToken}&utm_source=${inQuery} ${good.apiKey}, ` +
    `authorization: Bearer ${good.userJwt}`

  const indexerFaults: Record<string, () => Fault> = {
    'is down': () => 'drop',
    refuses: () => ({ status: 401, body: { error: { message: indiscreet() } } }),
    fails: () => ({ status: 500, headers: { 'x-why': 'x' }, body: indiscreet() }),
    'talks nonsense': () => ({ status: 200, body: indiscreet() }),
    'answers something else': () => ({
      status: 200,
      body: { error: { message: indiscreet() }, ownedNfts: [{ tokenId: indiscreet() }] },
    }),
  }

  test.each(Object.entries(indexerFaults))('when the indexer %s', async (_, fault) => {
    service.indexer.interfere({ onRequest: fault })
    const answers = await askAll(good)
    const codes = answers.map(({ json }) => json.code)
    expect(codes.filter((code) => code === 'indexer_unavailable')).toHaveLength(3)
    await expectNothingTold(answers, good)
  })

  test('when DynamoDB says that a call was wrong, and repeats it', async () => {
    const body = () => ({ __type: 'ValidationException', message: indiscreetCaller() })
    service.aws.interfere({
      onRequest: ({ service: name }) =>
        name === 'DynamoDB' ? { status: 400, body: body() } : undefined,
    })
    const answers = await askAll(good)
    const codes = answers.map(({ json }) => json.code)
    expect(codes.filter((code) => code === 'internal_error').length).toBeGreaterThan(5)
    await expectNothingTold(answers, good)
  })

  test('when an item of the table is not what it should be', async () => {
    // Whom no function has seen yet, so that each has to look them up.
    const fresh = await newCredentials()
    const text = { S: indiscreetCaller() }
    const number = { N: '1' }
    const productId = { S: randomUUID() }
    const Item = { productId, userId: text, username: number, sk: text, name: number }
    service.aws.interfere({
      onRequest: ({ action }) =>
        action === 'GetItem' || action === 'Query'
          ? { status: 200, body: { Item, Items: [Item] } }
          : undefined,
    })
    const answers = await askAll(fresh)
    const codes = answers.map(({ json }) => json.code)
    expect(codes.filter((code) => code === 'internal_error').length).toBeGreaterThan(5)
    await expectNothingTold(answers, good, fresh)
  })

  test('a line has none but these fields', async () => {
    await expectNothingTold(await askAll(good), good)
    const told = service.log.flatMap((line) => Object.keys(JSON.parse(line)))
    const known = [
      ...['_aws', 'code', 'defect', 'durationMilliseconds', 'functionName', 'level', 'operation'],
      ...['productId', 'reason', 'requestId', 'serverErrors', 'status', 'timestamp'],
    ]
    const counts = /^(dynamodb|kms|sqs|secretsManager|indexer)(Calls|Failures)$/
    const others = told.filter((name) => !known.includes(name) && !counts.test(name))
    expect(others).toEqual([])
  })

  /** What could come back from the table: everything that a caller has sent. */
  const indiscreetCaller = (): string => indiscreet().replaceAll(indexerKey, '')
})
