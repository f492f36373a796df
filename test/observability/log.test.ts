import { createHmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { IndexerUnavailable, ServiceUnavailable } from '../../lib/domain/failures.ts'
import { VerbatimJson } from '../../lib/json/verbatim-json.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { playerDigests } from '../../lib/observability/player-digest.ts'
import { countsIn, metricsIn } from '../support/data/metric-documents.ts'
import {
  accepted,
  answering,
  capturedLog,
  getRawMetadata,
  goodApiKey,
  goodPlayerToken,
  goodUserJwt,
  invoke,
  throwing,
} from '../support/memory/http-chain.ts'
import { productId } from '../support/memory/owned-nfts.ts'

let log: ReturnType<typeof capturedLog>

beforeEach(() => {
  log = capturedLog()
})

describe('D5: the log', () => {
  const wallet = '0xE0D9d5b6a3F2c1B4978695a4b3C2d1e0F9A8b7C6'
  const secrets = [goodApiKey, goodPlayerToken, goodUserJwt, 'top.secret', 'playerToken=', 'hush']

  test('D5: a request writes one line, with its caller and without its input', async () => {
    const now = Date.parse('2026-11-21T12:00:00.123Z')
    vi.useFakeTimers({ toFake: ['Date'], now })
    onTestFinished(() => void vi.useRealTimers())
    await invoke(answering, { ...accepted, query: `${accepted.query}&unknown=hush` })
    expect(log).toEqual([
      {
        level: 'INFO',
        timestamp: new Date(now).toISOString(),
        requestId: 'request-1',
        lambdaRequestId: 'invocation-1',
        functionName: 'the-deployment-get-raw-metadata',
        functionVersion: '7',
        deployment: 'the-deployment',
        coldStart: true,
        operation: 'getRawMetadata',
        productId,
        player: 'the digest of 42',
        answerAgeSeconds: now / 1_000,
        status: 200,
        durationMilliseconds: 0,
        serverErrorAnswers: 0,
        credentialFailures: 0,
        maxMemoryMegabytes: expect.any(Number),
        _aws: expect.any(Object),
      },
    ])
    for (const secret of secrets) expect(JSON.stringify(log)).not.toContain(secret)
  })

  test('D5: a rejected request writes one line', async () => {
    await invoke(answering, { query: 'playerToken=hush', headers: { 'x-api-key': 'hush' } })
    expect(log).toMatchObject([{ level: 'INFO', status: 401, code: 'invalid_api_key' }])
    for (const secret of secrets) expect(JSON.stringify(log)).not.toContain(secret)
  })

  test('only the first line of a container is marked as a cold start', async () => {
    await invoke(answering, accepted)
    expect(log).toHaveLength(1)
    expect(log[0]).not.toHaveProperty('coldStart')
  })

  test('D72: a request of a known product and player names both, also if it is refused or a defect', async () => {
    await invoke(answering, { ...accepted, query: 'playerToken=hush' })
    await invoke(throwing(new Error('a defect')), accepted)
    const subjects = log.map((line) => [line['status'], line['productId'], line['player']])
    expect(subjects).toEqual([
      [401, productId, undefined],
      [500, productId, 'the digest of 42'],
      [undefined, productId, 'the digest of 42'],
    ])
  })

  test("D5: the reason of a failure is the service's own text", async () => {
    await invoke(throwing(new IndexerUnavailable('answered 429')), accepted)
    const line = { level: 'ERROR', status: 503, reason: 'answered 429' }
    expect(log).toMatchObject([line])
  })

  test('D5: a defect is logged with every text that resembles a credential removed', async () => {
    const text = [
      `key ${goodApiKey.toUpperCase()}`,
      `at https://host/nft/v3/hush/getNFTs?owner=hush&${accepted.query}`,
      `and "https://host/v2/hush"`,
      `with ${goodUserJwt}`,
      `of ${wallet}`,
    ].join(' ')
    const { body } = await invoke(throwing(new Error(text)), accepted)
    expect(log).toHaveLength(2)
    expect(log[1]).toMatchObject({ level: 'ERROR', requestId: 'request-1' })
    // It would be counted twice.
    expect(log[1]).not.toHaveProperty('_aws')
    const defectText = String(log[1]?.['defect'])
    expect(defectText).toContain('Error: key [struck out] at https://host[struck out]')
    expect(defectText).toContain('log.test.ts')
    for (const secret of [...secrets, goodApiKey.toUpperCase(), wallet]) {
      expect(defectText).not.toContain(secret)
      expect(body).not.toContain(secret)
    }
  })

  test('D5: the line of a defect of any size fits the limit of Lambda', async () => {
    await invoke(throwing(new Error('\u0000'.repeat(100_000))), accepted)
    expect(JSON.stringify(log[1]).length).toBeLessThan(65_536)
  })
})

describe('the count of downstream calls', () => {
  test('contains both counts of each called service; the counts that alarms use are metrics', async () => {
    const handler = getRawMetadata(async () => {
      downstreamCalls.begin('dynamodb')
      downstreamCalls.begin('dynamodb')
      await setImmediate()
      downstreamCalls.begin('indexer')
      downstreamCalls.countFailure('indexer')
      downstreamCalls.begin('kms')
      throw new IndexerUnavailable('too slow')
    })
    await invoke(handler, accepted)
    const paid = { indexerCalls: 1, indexerFailures: 1, kmsCalls: 1, kmsFailures: 0 }
    expect(log.map(countsIn)).toEqual([{ dynamodbCalls: 2, dynamodbFailures: 0, ...paid }])
    expect(log.map(metricsIn)).toEqual([
      { ...paid, indexerRequestFailures: 1, indexerUnavailableAnswers: 1 },
    ])
  })

  test('belongs to one request, whatever runs at the same time or continues after a response', async () => {
    const others = Promise.withResolvers<void>()
    const isOver = Promise.withResolvers<void>()
    const callsOf = (count: number) =>
      getRawMetadata(async () => {
        for (let call = 0; call < count; call += 1) {
          downstreamCalls.begin('sqs')
          await setImmediate()
        }
        return { data: new VerbatimJson('[]') }
      })
    const lasting = getRawMetadata(async () => {
      downstreamCalls.begin('sqs')
      await others.promise
      expect(() => downstreamCalls.begin('sqs')).toThrow('the request was answered before')
      downstreamCalls.countFailure('kms')
      isOver.resolve()
      throw new ServiceUnavailable('too late')
    })
    await invoke(lasting, { ...accepted, remainingMilliseconds: 4_010 })
    const requests = [1, 2, 3].map((count) => invoke(callsOf(count), accepted))
    others.resolve()
    await Promise.all([...requests, isOver.promise])
    expect(log[0]).toMatchObject({ reason: 'the request ran out of time' })
    const expected = [1, 1, 2, 3].map((sqsCalls) => ({ sqsCalls, sqsFailures: 0 }))
    expect(log.map(countsIn)).toEqual(expected)
  })

  test('is absent outside of a request', () => {
    downstreamCalls.begin('kms')
    expect(downstreamCalls.counts()).toEqual({})
  })
})

describe('D72: the digest of a player', () => {
  const digest = playerDigests('a key of a deployment')

  test('is the first half of an HMAC-SHA-256 of the user id', () => {
    const whole = createHmac('sha256', 'a key of a deployment').update('42').digest('hex')
    expect(digest(42)).toBe(whole.slice(0, 32))
    expect(digest(42)).toMatch(/^[0-9a-f]{32}$/)
  })

  test('differs for each player and each key', () => {
    const others = [digest(0), digest(4), digest(43), playerDigests('another key')(42)]
    expect(new Set([digest(42), ...others]).size).toBe(5)
  })
})
