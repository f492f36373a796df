import { randomBytes, randomUUID } from 'node:crypto'
import { samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { type OperationId, operationIds } from '../../functions/operations.ts'
import { documentedInput } from '../../openapi/operations.ts'
import { pageCalls } from '../../simulation/page-calls.ts'
import { callName } from '../support/accepted-requests.ts'
import { rowOf } from '../support/operations.ts'
import type { Fault } from '../support/proxies/fault-proxy.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { productWith } from '../support/requests/reading.ts'
import { indexerKey, startFaultyService } from '../support/services/faulty-service.ts'
import { newAccount } from '../support/sign-in/account.ts'

/** The secrets of a caller. */
interface Credentials {
  apiKey: string
  userJwt: string
  playerToken: string
  session: string
}

const { gear } = samples.collections

/** All operations but that which ends the session, so that it stays. */
const operations = operationIds.filter((id) => id !== 'signOut')

const service = await startFaultyService()

/** Credentials of the right form that belong to nobody, and credentials without any form. */
const unknown: Credentials = {
  apiKey: randomUUID(),
  userJwt: `eyJ${Buffer.from('alg').toString('hex')}.eyJ${randomUUID()}.${randomUUID()}`,
  playerToken: `eyJ${randomUUID()}.eyJ${randomUUID()}.x`,
  session: `7.${randomBytes(32).toString('base64url')}`,
}
const garbage: Credentials = {
  apiKey: 'garbage-for-an-api-key',
  userJwt: 'garbage-for-a-user-jwt',
  playerToken: 'garbage-for-a-player-token',
  session: 'garbage-for-a-session-of-a-player',
}

/** A text that is part of every query string. */
const inQuery = 'only-the-query-string-says-this'

const good = await newCredentials()
await askAll(good)

async function newCredentials(): Promise<Credentials> {
  const { wallets } = samples.players.threeWallets
  const { playerToken, ...user } = await service.newPlayer(wallets)
  const apiKey = await productWith(service, gear)
  const { session } = await pageCalls(service).enter(newAccount())
  return { apiKey, playerToken, session, userJwt: await service.userJwt(user) }
}

/** Calls every operation with these credentials, whether it needs them or not, and with `query`. */
function askAll(credentials: Credentials, query: Record<string, string> = {}): Promise<Received[]> {
  const request = (id: OperationId) => requestOf(id, credentials, query)
  return Promise.all(operations.map((id) => service.call(callName(id), request(id))))
}

function requestOf(
  id: OperationId,
  { session, ...credentials }: Credentials,
  query: Record<string, string>,
): Sent {
  const { body, ...input } = documentedInput(id)
  const { auth, method, oauth } = rowOf(id)
  // An unbinding names a contract that is not connected, and a deletion another product, so that all stays.
  const kept = method === 'DELETE' ? { chain: 'BSC', confirm: 'Another product' } : {}
  return {
    ...credentials,
    ...(auth === 'SESSION' && { userJwt: session }),
    ...(body !== undefined && (oauth ? { form: body as Record<string, string> } : { body })),
    query: { ...input.query, ...kept, ...query, utm_source: inQuery },
  }
}

/** The texts that would reveal a secret: the secrets themselves, and the parts of compound secrets. */
function recognizable(...callers: readonly Credentials[]): string[] {
  const credentials = callers.flatMap(({ apiKey, userJwt, playerToken, session }) => [
    apiKey,
    ...session.split('.'),
    ...userJwt.split('.'),
    ...playerToken.split('.'),
  ])
  // Headers of JWTs and other short parts reveal nothing.
  const telling = credentials.filter((part) => part.length >= 20 && !isHeader(part))
  return [...telling, inQuery, indexerKey, 'utm_source', 'Bearer eyJ']
}

const isHeader = (part: string) => Buffer.from(part, 'base64url').toString().includes('"alg"')

/** Expects that no log line and none of these responses, including their headers, contains a secret. */
async function expectNoSecret(answers: readonly Received[], ...callers: readonly Credentials[]) {
  const ids = answers.map(({ headers }) => headers.get('apigw-requestid') ?? '')
  // Every request writes one log line, perhaps a moment after its response.
  await expect.poll(() => ids.map(linesOf)).toEqual(ids.map(() => 1))
  const visible = answers
    .filter(({ json }) => json?.data?.apiKey === undefined && json?.data?.token === undefined)
    .map(({ headers, text }) => JSON.stringify([...headers]) + text)
  const everything = [...service.log, ...visible].join('\n').toLowerCase()
  for (const secret of recognizable(...callers)) {
    expect(everything).not.toContain(secret.toLowerCase())
  }
}

/** The number of log lines of a request, without those about faults in the service. */
const linesOf = (requestId: string): number =>
  service.log
    .map((line) => JSON.parse(line))
    .filter((line) => line.requestId === requestId && line.operation).length

describe('D5: no log line and no response contains an API key, a token or a query string', () => {
  test('when all requests succeed', async () => {
    const answers = await askAll(good)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400, 404]))
    await expectNoSecret(answers, good)
  })

  test('when credentials are rejected', async () => {
    const upper = { ...unknown, apiKey: unknown.apiKey.toUpperCase() }
    const mixed = { ...good, userJwt: `${good.userJwt}x`, playerToken: `${good.playerToken}x` }
    const answers = await Promise.all([unknown, upper, garbage, mixed].map((one) => askAll(one)))
    expect(answers.flat().filter(({ status }) => status === 401).length).toBeGreaterThan(30)
    await expectNoSecret(answers.flat(), good, unknown, garbage)
  })

  test('when credentials are sent in the wrong place', async () => {
    const { apiKey, playerToken, userJwt, session } = good
    const swapped = { apiKey: playerToken, userJwt: apiKey, playerToken: session, session: userJwt }
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
    await expectNoSecret(answers, good)
  })

  /** An upstream that repeats all that it received, in every place where an error may contain it. */
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
    expect(codes.filter((code) => code === 'indexer_unavailable')).toHaveLength(4)
    await expectNoSecret(answers, good)
  })

  test('when DynamoDB rejects a call and repeats its content', async () => {
    const body = () => ({ __type: 'ValidationException', message: indiscreetCaller() })
    service.aws.interfere({
      onRequest: ({ service: name }) =>
        name === 'DynamoDB' ? { status: 400, body: body() } : undefined,
    })
    const answers = await askAll(good)
    const codes = answers.map(({ json }) => json.code)
    expect(codes.filter((code) => code === 'internal_error').length).toBeGreaterThan(5)
    await expectNoSecret(answers, good)
  })

  test('when an item of the table is malformed', async () => {
    // Callers that no function has seen yet, so that each function has to read them.
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
    await expectNoSecret(answers, good, fresh)
  })

  test('a log line has no other fields than these', async () => {
    await expectNoSecret(await askAll(good), good)
    const visible = service.log.flatMap((line) => Object.keys(JSON.parse(line)))
    const known = [
      ...['_aws', 'code', 'defect', 'durationMilliseconds', 'functionName', 'level', 'operation'],
      ...['productId', 'reason', 'requestId', 'status', 'timestamp', 'lambdaRequestId'],
      ...[
        'player',
        'functionVersion',
        'deployment',
        'coldStart',
        'maxMemoryMegabytes',
        'indexerUnits',
        'indexerCallMilliseconds',
        'indexerSlowestMilliseconds',
        'indexerUnavailableAnswers',
        'serverErrorAnswers',
        'kid',
        'walletsKept',
        'walletsLeftOut',
        ...['answerAgeSeconds', 'mainAnswerAgeSeconds', 'nfts'],
        ...['keptContracts', 'askedContracts'],
        // Of what tells webhooks of a new contract.
        ...['kind', 'messageId', 'delivered', 'deliveryDefects'],
      ],
    ]
    const counts =
      /^(dynamodb|kms|sqs|secretsManager|indexer|keySet)(Calls|Failures|Milliseconds)$|^(loginFailures[0-7]|indexerRequestFailures|credentialFailures|signInFailures)$/
    const others = visible.filter((name) => !known.includes(name) && !counts.test(name))
    expect(others).toEqual([])
  })

  /** The content that the table could return: everything that a caller has sent. */
  const indiscreetCaller = (): string => indiscreet().replaceAll(indexerKey, '')
})
