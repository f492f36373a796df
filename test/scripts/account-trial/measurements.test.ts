import { expect, test } from 'vitest'
import { minutesIn, queriesFor, unitsOf } from '../../../scripts/account-trial/bill-units.ts'
import { reportIn } from '../../../scripts/account-trial/cold-starts.ts'
import { duringTraffic } from '../../../scripts/account-trial/traffic.ts'
import { latencyOf, prepareCalls, sendCalls } from '../../../scripts/account-trial/warm-calls.ts'
import { clientOf } from '../../support/requests/client.ts'
import { serve } from '../../support/services/http-server.ts'
import { sharedService } from '../../support/services/service.ts'

const service = sharedService()
const minute = 60_000
const idle = Date.UTC(2026, 10, 24, 12, 0, 1)
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 24, 12, minutes))

// The first call of each function takes long.
const timeout = 60_000

test('each operation is called in a window of its own, a change with a product for each call', {
  timeout,
}, async () => {
  const windows: string[] = []
  const each = { reads: 4, changes: 2 }
  const prepared = await prepareCalls(service, ['getProduct', 'createKey'], each)
  const keys = new Set(prepared[1]?.sent.map(({ apiKey }) => apiKey))
  expect(keys.size).toBe(each.changes)
  const calls = await sendCalls(service, prepared, async () => windows.push('window'))
  expect(windows).toHaveLength(2)
  expect(calls.map(({ operation, milliseconds }) => [operation, milliseconds.length])).toEqual([
    ['getProduct', each.reads],
    ['createKey', each.changes],
  ])
})

test('a call that is refused ends the measurement, with its answer', async () => {
  const [prepared] = await prepareCalls(service, ['getProduct'])
  if (!prepared) throw new Error('nothing was prepared')
  const refused = { ...prepared, warmUp: { apiKey: 'wrong' } }
  await expect(sendCalls(service, [refused], async () => undefined)).rejects.toThrow(
    /^getProduct: 401 /,
  )
})

test('p50 and p99 are those of the calls', () => {
  const milliseconds = Array.from({ length: 101 }, (_, index) => index)
  expect(latencyOf({ milliseconds })).toEqual({ p50: 50, p99: 99 })
})

test('the units of a call are those of its minutes, less those of an idle minute', () => {
  const calls = {
    operation: 'getProduct',
    milliseconds: Array(9).fill(20),
    from: at(3).getTime() + 500,
    until: at(4).getTime() + 2_000,
  } as const
  const sums = (Id: string, ...Values: number[]) => ({
    Id,
    Timestamps: Values.map((_, index) => at(index)),
    Values,
  })
  const minutes = minutesIn([
    sums('readUnits', 2, 90, 90, 10, 14),
    // The second page of the same query.
    { Id: 'writeUnits', Timestamps: [at(0)], Values: [1] },
    { Id: 'writeUnits', Timestamps: [at(3)], Values: [1] },
    sums('lambda_getProduct', 0, 0, 0, 100, 55.5),
    sums('lambda_getNfts', 0, 0, 0, 7_000, 7_000),
  ])
  expect(unitsOf(calls, minutes, idle)).toEqual({
    readUnits: 2,
    writeUnits: 0,
    kmsCalls: 0,
    indexerUnits: 0,
    lambda: 15.55,
  })
})

test('the queries name the table, the stack and the function, with ids that CloudWatch accepts', () => {
  const deployment = {
    stackName: 'PlayerNfts-trial-a1b2c3',
    outputs: { TableName: 'table' } as never,
  }
  const calls = { operation: 'getProduct', milliseconds: [], from: 0, until: minute } as const
  const queries = queriesFor(deployment, [calls])
  expect(queries.every(({ Id }) => /^[a-z]\w*$/.test(Id ?? ''))).toBe(true)
  expect(queries.map(({ MetricStat }) => MetricStat?.Metric?.Dimensions?.[0]?.Value)).toEqual([
    ...['table', 'table', deployment.stackName, deployment.stackName],
    `${deployment.stackName}-get-product`,
  ])
})

test('the report of Lambda is read from the end of a log, whose first line can be cut off', () => {
  const metrics = { initDurationMs: 212.4, durationMs: 31.5, maxMemoryUsedMB: 98 }
  const line = (type: string, record: object) =>
    JSON.stringify({ time: '2026-11-24T12:00:00.000Z', type, record })
  const log = [
    'artOfALine":"platform.report"}',
    line('platform.start', { requestId: '1' }),
    line('platform.report', { requestId: '1', metrics, status: 'success' }),
    '',
  ].join('\n')
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  expect(reportIn(encoded(log))).toEqual(metrics)
  expect(reportIn(encoded('no report'))).toBeUndefined()
})

test('traffic goes on until the work ends, and counts what fails', async () => {
  const statuses = [200, 503, 200]
  let answered = 0
  const enough = Promise.withResolvers<void>()
  const url = await serve((_, response) => {
    response.writeHead(statuses[answered] ?? 200).end('{}')
    answered += 1
    if (answered === statuses.length) enough.resolve()
  })
  const work = async () => {
    await enough.promise
    throw new Error('UPDATE_ROLLBACK_COMPLETE')
  }
  const { traffic, error } = await duringTraffic({ call: clientOf(url) }, 'key', work)
  expect(error?.message).toBe('UPDATE_ROLLBACK_COMPLETE')
  expect(traffic).toEqual({ requests: answered, failures: 1 })
})
