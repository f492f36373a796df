import {
  CloudWatchClient,
  type MetricDataQuery,
  type MetricDataResult,
  paginateGetMetricData,
} from '@aws-sdk/client-cloudwatch'
import { functionName } from '../../lib/contract/route.ts'
import { metricDimension, metricNamespace } from '../../lib/observability/metrics.ts'
import type { Deployment } from '../../test/deployed/deployment.ts'
import type { Place } from '../../test/deployed/place.ts'
import type { WarmCalls } from './warm-calls.ts'

/** What the bill counts. */
const units = ['readUnits', 'writeUnits', 'kmsCalls', 'indexerUnits', 'lambda'] as const

/** The units of one call, on average. `lambda` is in milliseconds. */
type BillUnits = Readonly<Record<(typeof units)[number], number>>

/** The metrics of a stack by the minute: the unit, and the operation for those of one function. */
type Minutes = ReadonlyMap<string, ReadonlyMap<number, number>>

const minute = 60_000
const minuteOf = (time: number) => Math.floor(time / minute) * minute

/** The unit of the functions of one operation. */
const lambdaId = (operation: string) => `lambda_${operation}`

/** The query of a sum by the minute. CloudWatch wants an id that begins with a small letter. */
const sumOf = (
  Id: string,
  Namespace: string,
  MetricName: string,
  [Name, Value]: readonly [string, string],
): MetricDataQuery => ({
  Id,
  MetricStat: {
    Metric: { Namespace, MetricName, Dimensions: [{ Name, Value }] },
    Period: minute / 1_000,
    Stat: 'Sum',
  },
})

/** The queries for the calls. */
export function queriesFor(
  { stackName, outputs }: Pick<Deployment, 'stackName' | 'outputs'>,
  calls: readonly WarmCalls[],
): MetricDataQuery[] {
  const table = ['TableName', outputs.TableName] as const
  const own = [metricDimension, stackName] as const
  return [
    sumOf('readUnits', 'AWS/DynamoDB', 'ConsumedReadCapacityUnits', table),
    sumOf('writeUnits', 'AWS/DynamoDB', 'ConsumedWriteCapacityUnits', table),
    sumOf('kmsCalls', metricNamespace, 'kmsCalls', own),
    sumOf('indexerUnits', metricNamespace, 'indexerUnits', own),
    ...calls.map(({ operation }) => {
      const name = `${stackName}-${functionName(operation)}`
      return sumOf(lambdaId(operation), 'AWS/Lambda', 'Duration', ['FunctionName', name])
    }),
  ]
}

/** Reads the metrics of the minutes of these calls, and of the idle minute before them. */
export async function readMinutes(
  { aws }: Pick<Place, 'aws'>,
  deployment: Deployment,
  { calls, idle }: { calls: readonly WarmCalls[]; idle: number },
): Promise<Minutes> {
  const pages = paginateGetMetricData(
    { client: new CloudWatchClient(aws) },
    {
      StartTime: new Date(minuteOf(idle)),
      EndTime: new Date(minuteOf(calls.at(-1)?.until ?? idle) + minute),
      MetricDataQueries: queriesFor(deployment, calls),
    },
  )
  const results: MetricDataResult[] = []
  for await (const { MetricDataResults = [] } of pages) results.push(...MetricDataResults)
  return minutesIn(results)
}

/** The sums by query and by the beginning of their minute. */
export function minutesIn(results: readonly MetricDataResult[]): Minutes {
  const minutes = new Map<string, Map<number, number>>()
  for (const { Id = '', Timestamps = [], Values = [] } of results) {
    const sums = minutes.get(Id) ?? new Map<number, number>()
    for (const [index, time] of Timestamps.entries()) sums.set(time.getTime(), Values[index] ?? 0)
    minutes.set(Id, sums)
  }
  return minutes
}

/**
 * The units of one call of an operation: what its minutes have, less what an idle minute has, because the follower of a
 * chain reads and writes all the time. The first call of the window, which warms up, counts too.
 */
export function unitsOf(
  { operation, milliseconds, from, until }: WarmCalls,
  minutes: Minutes,
  idle: number,
): BillUnits {
  const calls = milliseconds.length + 1
  const perCall = (id: string) => {
    const sums = minutes.get(id)
    const at = (time: number) => sums?.get(time) ?? 0
    let sum = 0
    for (let time = minuteOf(from); time <= minuteOf(until); time += minute) {
      sum += at(time) - (id.startsWith('lambda') ? 0 : at(minuteOf(idle)))
    }
    return Math.max(0, Math.round((sum / calls) * 100) / 100)
  }
  return {
    readUnits: perCall('readUnits'),
    writeUnits: perCall('writeUnits'),
    kmsCalls: perCall('kmsCalls'),
    indexerUnits: perCall('indexerUnits'),
    lambda: perCall(lambdaId(operation)),
  }
}
