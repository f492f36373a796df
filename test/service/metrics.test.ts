import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { samples } from '@player-nfts/local/samples'
import { afterAll, describe, expect, test } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import { functionName } from '../../lib/contract/route.ts'
import { acceptedRequest, callName } from '../support/accepted-requests.ts'
import { countsIn, indexerTimesIn, metricsIn } from '../support/data/metric-documents.ts'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { type LogLine, lineOf, lineWhere } from '../support/requests/log-lines.ts'
import { productWith } from '../support/requests/reading.ts'
import { startFaultyService } from '../support/services/faulty-service.ts'

const { gear, keepers } = samples.collections

const service = await startFaultyService()

const call = async (id: OperationId, sent?: Sent) =>
  await service.call(callName(id), sent ?? (await acceptedRequest(service, id)))

/** The number of requests that each service has received so far, without those of the queue's poller. */
function arrived(): Record<string, number> {
  const { aws, indexer } = service
  const ofService = (name: string) =>
    aws.proxy.requests.filter((request) => request.service === name).length
  return {
    dynamodbCalls: ofService('DynamoDB'),
    kmsCalls: ofService('KMS'),
    sqsCalls: aws.proxy.count('SendMessage'),
    secretsManagerCalls: ofService('SecretsManager'),
    indexerCalls: indexer.requests.length,
  }
}

/** The number of requests that each service receives in the meantime. */
async function arrivedBy(run: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = arrived()
  await run()
  return Object.fromEntries(
    Object.entries(arrived()).map(([name, count]) => [name, count - (before[name] ?? 0)]),
  )
}

/** The calls that these log lines report, in total. */
function callsIn(...lines: LogLine[]): Record<string, number> {
  const none = arrived()
  const sum = (name: string) => lines.reduce((total, line) => total + Number(line[name] ?? 0), 0)
  return Object.fromEntries(Object.keys(none).map((name) => [name, sum(name)]))
}

// Comes first: so far, only the functions that prepare the requests have been called.
describe('the reported calls of a request are the calls that the services received', () => {
  test('cold, with the key for the indexer to read, and warm', async () => {
    const sent = await acceptedRequest(service, 'getRawMetadata')
    for (const keysRead of [1, 0]) {
      const answers: Received[] = []
      const seen = await arrivedBy(async () => answers.push(await call('getRawMetadata', sent)))
      expect(callsIn(await lineOf(service.log, answers[0] as Received))).toEqual(seen)
      expect(seen).toMatchObject({ kmsCalls: 0, secretsManagerCalls: keysRead })
    }
  })
})

/** The metrics that say something of the answer, and nothing of calls (D138, D145, D149). */
const ofAnswers =
  /^(loginFailures\d|indexerRequestFailures|mainAnswerAgeSeconds|serverErrorAnswers|credentialFailures|signInFailures)$/

test.each(Object.keys(routes) as OperationId[])(
  'CloudWatch finds the metrics of each request in its log line: %s',
  async (id) => {
    const answer = await call(id)
    expect(answer.status, answer.text).toBe(200)
    const line = await lineOf(service.log, answer)
    expect(line).toMatchObject({ level: 'INFO', functionName: functionName(id), operation: id })
    const counts = Object.entries(countsIn(line))
    const paid = counts.filter(([name]) => /^(kms|indexer)/.test(name))
    const ofCalls = Object.entries(metricsIn(line)).filter(([name]) => !ofAnswers.test(name))
    expect(Object.fromEntries(ofCalls)).toEqual(Object.fromEntries(paid))
    const failures = counts.filter(([name]) => name.endsWith('Failures'))
    const called = counts.filter(([name]) => name.endsWith('Calls'))
    expect(failures).toHaveLength(called.length)
    for (const [, count] of failures) expect(count).toBe(0)
    for (const [name] of called) {
      expect(line[name.replace(/Calls$/, 'Milliseconds')]).toBeGreaterThan(0)
    }
  },
)

test('D145: a line has the age of an answer, of main networks as a metric, and the number of its NFTs', async () => {
  const twelveHours = 12 * 3_600
  const blockTimestamp = new Date(Date.now() - twelveHours * 1_000).toISOString()
  service.indexer.interfere({
    onResponse: ({ path }, { body }) => {
      if (!path.includes('getNFTsForOwner')) return undefined
      const answer = JSON.parse(String(body))
      return { status: 200, body: { ...answer, validAt: { ...answer.validAt, blockTimestamp } } }
    },
  })
  const answer = await call('getRawMetadata')
  const line = await lineOf(service.log, answer)
  expect(line['nfts']).toBe(answer.json.data.length)
  expect(line['answerAgeSeconds']).toBeGreaterThanOrEqual(twelveHours)
  expect(metricsIn(line)['mainAnswerAgeSeconds']).toBe(line['mainAnswerAgeSeconds'])
  expect(line['mainAnswerAgeSeconds']).toBe(line['answerAgeSeconds'])
})

describe('each attempt counts as a call; a failure is a call without a successful attempt', () => {
  const down: Fault = { status: 503, body: {} }
  const denied: Fault = { status: 400, body: { __type: 'AccessDeniedException' } }

  const interfere = (where: string, fault: Fault, times = Number.POSITIVE_INFINITY) => {
    let left = times
    const onRequest = ({ service: name, action }: ProxiedRequest) =>
      (name === where || action === where) && left-- > 0 ? fault : undefined
    if (where === 'HTTP') service.indexer.interfere({ onRequest })
    else service.aws.interfere({ onRequest })
  }

  /** A request that causes one indexer call. */
  const oneBalance = async (): Promise<Sent> => {
    const { playerToken } = await service.newPlayer(
      samples.players.threeWallets.wallets.slice(0, 1),
    )
    return { playerToken }
  }

  test.each<[OperationId, string, Fault, Record<string, number>]>([
    ['getProduct', 'GetItem', 'drop', { dynamodbCalls: 3, dynamodbFailures: 1 }],
    ['getProduct', 'GetItem', denied, { dynamodbCalls: 1, dynamodbFailures: 1 }],
    ['createPlayerToken', 'Sign', 'drop', { kmsCalls: 3, kmsFailures: 1 }],
    ['unbindContract', 'SendMessage', 'drop', { sqsCalls: 3, sqsFailures: 1 }],
    ['getPlayerDetails', 'HTTP', down, { indexerCalls: 3, indexerFailures: 1 }],
    ['getPlayerDetails', 'HTTP', 'drop', { indexerCalls: 3, indexerFailures: 1 }],
    [
      'getPlayerDetails',
      'HTTP',
      { status: 200, body: '<html>' },
      { indexerCalls: 1, indexerFailures: 1 },
    ],
  ])('%s while %s is unavailable', async (id, where, fault, expected) => {
    const sent = id === 'getPlayerDetails' ? await oneBalance() : await acceptedRequest(service, id)
    // From now on, the request causes no other calls.
    if (id !== 'unbindContract') await call(id, sent)
    interfere(where, fault)
    const answer = await call(id, sent)
    expect(answer.status, answer.text).toBe(503)
    const line = await lineOf(service.log, answer)
    expect(line).toMatchObject({ level: 'ERROR', ...expected })
    const paid = Object.entries(expected).filter(([name]) => /^(kms|indexer)/.test(name))
    expect(metricsIn(line)).toMatchObject(Object.fromEntries(paid))
    // The attempts of a call of the indexer are one call.
    const isIndexer = where === 'HTTP'
    expect(indexerTimesIn(line)).toHaveLength(isIndexer ? 1 : 0)
    const unavailable = isIndexer ? 1 : undefined
    expect(metricsIn(line)['indexerUnavailableAnswers']).toBe(unavailable)
    expect(metricsIn(line)['serverErrorAnswers']).toBe(isIndexer ? undefined : 1)
  })

  test('a failed attempt before a successful attempt is no failure', async () => {
    const product = await acceptedRequest(service, 'getProduct')
    await call('getProduct', product)
    interfere('GetItem', 'drop', 1)
    const reads = { dynamodbCalls: 2, dynamodbFailures: 0 }
    expect(countsIn(await lineOf(service.log, await call('getProduct', product)))).toEqual(reads)
    const player = await oneBalance()
    interfere('HTTP', down, 2)
    const balance = { indexerCalls: 3, indexerFailures: 0, indexerUnits: 3 * 20 }
    const line = await lineOf(service.log, await call('getPlayerDetails', player))
    expect(line).toMatchObject(balance)
    expect(indexerTimesIn(line)).toHaveLength(1)
  })
})

describe('CloudWatch finds the metrics of each message in its log line', () => {
  const functionName = 'work-queue'
  const queue = new SQSClient(service.stack.aws)
  afterAll(() => queue.destroy())

  const send = (MessageBody: string) => {
    const { queueUrl: QueueUrl } = service.stack.resources
    return queue.send(new SendMessageCommand({ QueueUrl, MessageBody }))
  }

  test('a message that succeeds', async () => {
    const productId = 'a-product-of-nobody'
    const contract = { chain: gear.chain, address: gear.address, bindingId: 'gone' }
    await send(JSON.stringify({ kind: 'sweep', productId, contract }))
    const line = await lineWhere(service.log, (other) => other['productId'] === productId)
    expect(line).toMatchObject({ level: 'INFO', functionName, kind: 'sweep', dynamodbFailures: 0 })
    expect(metricsIn(line)).toEqual({ workFailures: 0 })
  })

  test('a message that calls the indexer', async () => {
    const apiKey = await productWith(service, keepers)
    const body = { smartContract: keepers.address }
    expect((await call('refreshMetadata', { apiKey, body })).json.data.pending).toBe(200)
    const line = await lineWhere(service.log, (other) => other['kind'] === 'refresh')
    // Two batches of 100, each read as stored and then refreshed.
    const indexer = { indexerCalls: 4, indexerFailures: 0, indexerUnits: 4 * 480 }
    expect(metricsIn(line)).toEqual({ workFailures: 0, ...indexer })
    expect(indexerTimesIn(line)).toHaveLength(4)
  })

  test('a message that fails because the indexer is down', async () => {
    const apiKey = await productWith(service, keepers)
    const body = { smartContract: keepers.address }
    const before = service.log.length
    // The request itself succeeds, and leaves the rest to the worker.
    expect((await call('refreshMetadata', { apiKey, body })).json.data.pending).toBe(200)
    service.indexer.interfere({ onRequest: () => ({ status: 500 }) })
    const find = () =>
      service.log
        .slice(before)
        .map((line): LogLine => JSON.parse(line))
        .find((line) => 'error' in line)
    await expect.poll(find).toBeDefined()
    const line = find() ?? {}
    expect(metricsIn(line)).toMatchObject({ workFailures: 1, indexerUnavailableMessages: 1 })
  })

  test('a message that fails and is delivered again', async () => {
    const { MessageId } = await send('What is this?')
    const line = await lineWhere(service.log, (other) => other['messageId'] === MessageId)
    expect(line).toMatchObject({ level: 'ERROR', functionName, error: expect.any(String) })
    expect(metricsIn(line)).toEqual({ workFailures: 1 })
  })
})
