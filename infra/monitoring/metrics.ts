import { Duration, Stack } from 'aws-cdk-lib'
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { IConstruct } from 'constructs'
import { metricDimension, metricNamespace } from '../../lib/observability/metrics.ts'
import type { LiveFunction } from '../functions.ts'
import type { Monitored } from './alarm-row.ts'

/** The period of every metric that has an alarm. */
export const period = Duration.minutes(5)

/**
 * The period of the alarms that are also on when everything of a kind fails (D138). CloudWatch evaluates it every minute. All
 * metrics of an alarm have one period, so it is that of their thresholds too, which are twice those of five minutes.
 */
export const longPeriod = Duration.minutes(30)

const lambdaNamespace = 'AWS/Lambda'

/** The sum of several metrics. A metric without data in a period counts as 0, because the others count all the same. */
export function sum(metrics: readonly IMetric[], label: string): IMetric {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]))
  const expression = filled(usingMetrics, 0).join(' + ')
  return new MathExpression({ expression, usingMetrics, label, period })
}

/** The percentage of all requests that `part` counts and `without` does not, 0 if these are fewer than `least`. */
export function percentage(
  part: IMetric,
  least: number,
  label: string,
  { api }: Monitored,
  without?: IMetric,
): IMetric {
  const count = without ? '(FILL(part, 0) - FILL(without, 0))' : 'FILL(part, 0)'
  const requests = api.api.metricCount({ statistic: Stats.SUM, period })
  return new MathExpression({
    expression: `IF(${count} >= ${least}, 100 * ${count} / requests, 0)`,
    usingMetrics: { part, ...(without && { without }), requests },
    label,
    period,
  })
}

/** A metric that the functions of the deployment write into their log lines, by default as a sum over all functions. */
export const loggedMetric = (
  metricName: string,
  { api }: { readonly api: IConstruct },
  over = period,
  statistic: string = Stats.SUM,
): IMetric =>
  new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { [metricDimension]: Stack.of(api).stackName },
    statistic,
    period: over,
  })

/**
 * A metric that Lambda writes about one function. It names the function without a reference, because each reference to another
 * stack is a parameter, of which a stack can have 200, and a circle if that stack refers to the alarm (D147).
 */
export const functionMetric = (
  { name }: Pick<LiveFunction, 'name'>,
  metricName: 'Duration' | 'Errors' | 'Invocations' | 'Throttles',
  statistic: string = Stats.SUM,
  over = period,
): IMetric =>
  new Metric({
    namespace: lambdaNamespace,
    metricName,
    dimensionsMap: { FunctionName: name },
    statistic,
    period: over,
  })

/** So many requests of a kind, at least, are everything of it. */
export const leastOfKind = 3

/** Metrics of requests of one kind, each 1 for a failure and 0 for a success, by their names in an expression. */
export interface Kind {
  readonly lowest: Readonly<Record<string, IMetric>>
  /** With further failures, of which there is no 0. */
  readonly failed: Readonly<Record<string, IMetric>>
}

/** The kind of requests that one metric of the functions is about. */
export const kindOf = (metricName: string, resources: Monitored): Kind => ({
  lowest: { lowest: loggedMetric(metricName, resources, longPeriod, Stats.MINIMUM) },
  failed: { failed: loggedMetric(metricName, resources, longPeriod) },
})

/** The {@link failures} that the lines of a function have in this metric, and those that Lambda has ended. */
export function failuresOf(
  metricName: string,
  each: Pick<LiveFunction, 'name'> | undefined,
  threshold: number,
  resources: Monitored,
): IMetric {
  const { lowest, failed } = kindOf(metricName, resources)
  const ended = each && { ended: functionMetric(each, 'Errors', Stats.SUM, longPeriod) }
  const all = { ...failed, ...ended }
  return failures(all, { lowest, failed: all }, threshold, 'failures of the function')
}

/**
 * The number of failures in {@link longPeriod}, and `threshold` more if everything of a kind fails: at least three requests,
 * and no success (D138). A metric that has no value in a period changes nothing, but CloudWatch fills not certainly a series
 * without any value. `count` is the expression of the number, by default the sum of what is counted.
 */
export function failures(
  counted: Readonly<Record<string, IMetric>>,
  { lowest, failed }: Kind,
  threshold: number,
  label: string,
  count?: string,
): IMetric {
  const isEverything = `${noneSucceeds(lowest)} AND ${sumOf(failed)} >= ${leastOfKind}`
  const terms = [...(count ? [count] : filled(counted, 0)), `IF(${isEverything}, ${threshold}, 0)`]
  return new MathExpression({
    expression: `SUM([${terms.join(', ')}])`,
    usingMetrics: { ...counted, ...lowest, ...failed },
    label,
    period: longPeriod,
  })
}

/** The number of failures in {@link longPeriod} if everything of a kind fails, else 0 (D149). */
export const allFailures = ({ lowest, failed }: Kind, label: string): IMetric =>
  new MathExpression({
    expression: `IF(${noneSucceeds(lowest)}, ${sumOf(failed)}, 0)`,
    usingMetrics: { ...lowest, ...failed },
    label,
    period: longPeriod,
  })

const filled = (metrics: object, otherwise: number): string[] =>
  Object.keys(metrics).map((name) => `FILL(${name}, ${otherwise})`)

const noneSucceeds = (lowest: object): string => `MIN([${filled(lowest, 1).join(', ')}]) >= 1`

const sumOf = (metrics: object): string => `SUM([${filled(metrics, 0).join(', ')}])`

/** A metric of Lambda for all functions of the account in the Region. */
export const accountMetric = (metricName: string, statistic: string): IMetric =>
  new Metric({ namespace: lambdaNamespace, metricName, statistic, period })

/** CloudWatch accepts this many metrics in the expression of an alarm. */
const metricsOfAlarm = 10

/** The largest of some metrics, without data 0, for alarms on at most ten of them each. */
export const largest = (metrics: readonly IMetric[], label: string): IMetric[] =>
  Array.from({ length: Math.ceil(metrics.length / metricsOfAlarm) }, (_, index) =>
    largestOf(metrics.slice(index * metricsOfAlarm, (index + 1) * metricsOfAlarm), label),
  )

function largestOf(metrics: readonly IMetric[], label: string): IMetric {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]))
  const expression = `MAX([${filled(usingMetrics, 0).join(', ')}])`
  return new MathExpression({ expression, usingMetrics, label, period })
}
