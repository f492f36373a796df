import { describe, expect, test } from 'vitest'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { logFollow, logRequest, logWork, type RequestLine } from '../../../lib/observability/log.ts'
import { type Row, runQuery } from '../../support/insights/run-query.ts'
import { capturedLog } from '../../support/memory/http-chain.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import { serviceTemplate } from '../../support/service-template.ts'

const settings = { ...prodSettings, followedChains: ['POLYGON'], silenceAlarmMinutes: 60 }
const savedQueries = (changes: object = {}): ReadonlyMap<string, string> =>
  new Map(
    serviceTemplate({ ...settings, ...changes })
      .propertiesOf('AWS::Logs::QueryDefinition')
      .map(({ Name, QueryString }) => [Name, QueryString]),
  )
const queries = savedQueries()

/** The answer of a saved query to log lines. */
const ask = (name: string, lines: readonly Row[], from = queries): Row[] =>
  runQuery(from.get(`PlayerNfts-prod/${name}`) ?? `no query ${name}`, lines)

/** A time of an evening. */
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 20, minute)).toISOString()

const from = (first: number, end: number): number[] =>
  Array.from({ length: end - first }, (_, index) => first + index)

/** The fields of the lines of the functions, which these write, and of the access log, which the template describes. */
async function knownFields(): Promise<Set<string>> {
  const log = capturedLog()
  const invocation = { lambdaRequestId: 'i', functionName: 'f', functionVersion: '7' }
  const common = { ...invocation, deployment: 'd', durationMilliseconds: 1, reason: 'x' }
  await downstreamCalls.during(async () => {
    for (const service of ['dynamodb', 'kms', 'indexer', 'keySet'] as const) {
      downstreamCalls.begin(service)
      await downstreamCalls.timed(service, async () => undefined)
    }
    downstreamCalls.countIndexerUnits(1)
    await downstreamCalls.timed('indexer', async () => undefined)
    const line = { ...common, coldStart: true as const, requestId: 'r', operation: 'getNfts' }
    const answer = { answerAgeSeconds: 1, mainAnswerAgeSeconds: 1, nfts: 1 }
    logRequest({
      ...line,
      ...answer,
      productId: 'p',
      player: 'd',
      status: 401,
      code: 'c',
      kid: 'k',
    })
    const ended = { chain: 'POLYGON', contract: '0xa1', endedSnapshots: 1 }
    logWork({ ...common, ...ended, messageId: 'm', kind: 'sweep', error: new Error('x') })
    const suspended = { busyContracts: 0, refusedContracts: 0 }
    logFollow({ ...common, ...suspended, chain: 'POLYGON', followFailures: 1, followLagSeconds: 1 })
  })
  const { Properties } = serviceTemplate(settings).only('AWS::ApiGatewayV2::Stage')
  return new Set([...log, JSON.parse(Properties.AccessLogSettings.Format)].flatMap(Object.keys))
}

const words =
  /"[^"]*"|\b(?:filter|stats|sort|limit|fields|display|by|as|and|or|desc|ispresent|bin|count|count_distinct|sum|avg|max|pct|earliest|latest)\b|\b\d\w*|@\w+/g

test('each saved query is understood, and reads fields that the lines have', async () => {
  const known = await knownFields()
  expect(queries.size).toBeGreaterThan(15)
  for (const [name, text] of queries) {
    expect(runQuery(text, []), name).toEqual([])
    const own = new Set(Array.from(text.matchAll(/ as (\w+)/g), ([, alias]) => alias))
    const read = text.replaceAll(words, ' ').match(/\w+/g) ?? []
    expect(
      read.filter((field) => !known.has(field) && !own.has(field)),
      name,
    ).toEqual([])
  }
})

describe('D71: the queries of a slow indexer', () => {
  const call = (minute: number, indexerSlowestMilliseconds: number, who: object) => ({
    ...{ timestamp: at(minute), operation: 'getNfts', indexerCalls: 2, indexerSlowestMilliseconds },
    ...{ indexerMilliseconds: indexerSlowestMilliseconds + 200, ...who },
  })
  const [ember, tide] = [{ productId: 'ember' }, { productId: 'tide' }]
  const lines: Row[] = [
    ...from(0, 60).flatMap((minute) => [
      ...from(0, 4).map(() => call(minute, 200, { ...tide, player: 'quick' })),
      // One of four calls of this product is slow since 20:40.
      call(minute, minute < 40 ? 300 : 4_000, { ...ember, player: minute % 2 ? 'odd' : 'even' }),
    ]),
    call(7, 5_000, { ...tide, player: 'unlucky' }),
    { timestamp: at(8), operation: 'getProduct' },
  ]

  test('say since when the calls are slow', () => {
    const slow = ask('slow-indexer-calls/waits-by-time', lines).filter(({ p90 }) => p90 === 4_000)
    expect(slow.map(({ period }) => period)).toEqual([at(55), at(50), at(45), at(40)])
  })

  test('say which product waits, and since when, also if it was quick before', () => {
    const [first, second, ...others] = ask('slow-indexer-calls/waits-by-operation', lines)
    expect(first).toMatchObject({ productId: 'ember', requests: 20, first: at(40), last: at(59) })
    expect(second).toMatchObject({ productId: 'tide', requests: 1, first: at(7), last: at(7) })
    expect(others).toEqual([])
  })

  test('say which players wait, and since when', () => {
    const rows = ask('slow-indexer-calls/waits-by-player', lines)
    expect(rows.map(({ player, requests, first }) => [player, requests, first])).toEqual([
      ['even', 10, at(40)],
      ['odd', 10, at(41)],
      ['unlucky', 1, at(7)],
    ])
  })

  test('have the threshold of the setting', () => {
    const patient = savedQueries({ slowIndexerMilliseconds: 4_500 })
    const rows = ask('slow-indexer-calls/waits-by-operation', lines, patient)
    expect(rows.map(({ productId }) => productId)).toEqual(['tide'])
  })
})

test('D80: the query of refused credentials says why, since when, and of which players', () => {
  const refused = { operation: 'getNfts', productId: 'ember', status: 401 }
  const answer = (minute: number) =>
    minute < 40
      ? { ...refused, timestamp: at(minute), status: 200 }
      : { ...refused, timestamp: at(minute), code: 'invalid_player_token', reason: 'unknown_key' }
  const lines = from(0, 60).map((minute) => {
    const isFirst = minute === 40
    return { ...answer(minute), kid: minute < 40 ? '' : '2', player: isFirst ? 'one' : 'other' }
  })
  expect(ask('rejected-credentials/rejections-by-reason', lines)).toEqual([
    {
      ...{ code: 'invalid_player_token', reason: 'unknown_key', kid: '2', operation: 'getNfts' },
      ...{ productId: 'ember', requests: 20, players: 2, lastPlayer: 'other' },
      ...{ first: at(40), last: at(59) },
    },
  ])
})

describe('D152: the queries of a follower that is late', () => {
  const minuteOf = (chain: string, minute: number) => {
    const isStuck = chain === 'BSC' && minute >= 40
    const failed = { followFailures: 12, reason: 'HTTP 429', followLagSeconds: 60 * (minute - 39) }
    const line = { timestamp: at(minute), chain, followFailures: 0, followLagSeconds: 4 }
    return isStuck ? { ...line, ...failed } : line
  }
  const lines: Row[] = [
    ...from(0, 60).flatMap((minute) => ['POLYGON', 'BSC'].map((chain) => minuteOf(chain, minute))),
    { timestamp: at(59), chain: 'RONIN', followFailures: 1, reason: 'defect', defect: 'Error: …' },
  ]

  test('say which chain, why, and since when', () => {
    const rows = ask('follower-lag/failures-by-chain', lines)
    expect(rows.filter(({ reason }) => reason)).toEqual([
      {
        ...{ chain: 'BSC', reason: 'HTTP 429', failures: 240, lag: 1_200, refused: '', busy: '' },
        ...{ first: at(40), last: at(59) },
      },
      {
        ...{ chain: 'RONIN', reason: 'defect', failures: 1, lag: '', refused: '', busy: '' },
        ...{ first: at(59), last: at(59) },
      },
    ])
  })

  test('D139: say that the indexer refuses contracts, while nothing fails', () => {
    const refusing = lines.map((line) => ({
      ...line,
      ...(line['chain'] === 'POLYGON' && { refusedContracts: 3, busyContracts: 1 }),
    }))
    const rows = ask('follower-lag/failures-by-chain', refusing)
    expect(rows.filter(({ chain }) => chain === 'POLYGON')).toMatchObject([
      { reason: '', failures: 0, lag: 4, refused: 3, busy: 1 },
    ])
  })

  test('say since when it is late', () => {
    const late = ask('follower-lag/lag-by-time', lines).filter(({ lag }) => Number(lag) >= 120)
    expect(late.map(({ chain, period, lag }) => [chain, period, lag])).toEqual([
      ['BSC', at(55), 1_200],
      ['BSC', at(50), 900],
      ['BSC', at(45), 600],
      ['BSC', at(40), 300],
    ])
  })
})

test('D149: the queries of old answers show a jump of empty answers, and how old answers are', () => {
  const answer = (minute: number, answered: Partial<RequestLine>): Row => ({
    ...{ timestamp: at(minute), operation: 'getRawMetadata', status: 200 },
    ...{ productId: minute % 2 ? 'ember' : 'tide', player: `${minute % 5}`, ...answered },
  })
  const lines = from(0, 20).flatMap((minute) => [
    answer(minute, { answerAgeSeconds: 0 }),
    answer(minute, { answerAgeSeconds: 7_200, nfts: 4 }),
    ...from(0, 2).map(() =>
      minute < 10
        ? answer(minute, { answerAgeSeconds: 3, mainAnswerAgeSeconds: 2, nfts: 4 })
        : answer(minute, { answerAgeSeconds: 9_000, mainAnswerAgeSeconds: 8_000, nfts: 0 }),
    ),
  ])
  expect(ask('old-answers/ages-by-time', lines)).toEqual([
    { period: at(15), answers: 15, age: 9_000, mainAge: 8_000 },
    { period: at(10), answers: 15, age: 9_000, mainAge: 8_000 },
    { period: at(5), answers: 15, age: 3, mainAge: 2 },
    { period: at(0), answers: 15, age: 3, mainAge: 2 },
  ])
  expect(ask('old-answers/empty-answers-by-time', lines)).toEqual([
    { period: at(15), empty: 10, players: 5, products: 2, product: 'ember' },
    { period: at(10), empty: 10, players: 5, products: 2, product: 'tide' },
  ])
})

test('one query has the failures of requests, messages and followers, by their reasons', () => {
  const lines = [
    { timestamp: at(1), operation: 'getNfts', status: 503, code: 'indexer_unavailable' },
    { timestamp: at(2), operation: 'createPlayerToken', status: 200, kmsFailures: 1 },
    { timestamp: at(3), kind: 'sweep', workFailures: 1, error: 'Error: a defect' },
    { timestamp: at(4), chain: 'BSC', followFailures: 9, indexerFailures: 9, reason: 'HTTP 429' },
    { timestamp: at(5), operation: 'getNfts', status: 200, kmsFailures: 0, indexerFailures: 0 },
  ]
  const rows = ask('failures/by-reason', lines)
  expect(rows.map(({ operation, kind, chain, first }) => [operation, kind, chain, first])).toEqual([
    ['getNfts', '', '', at(1)],
    ['createPlayerToken', '', '', at(2)],
    ['', 'sweep', '', at(3)],
    ['', '', 'BSC', at(4)],
  ])
})
