import { Duration, Stack } from 'aws-cdk-lib'
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { IConstruct } from 'constructs'
import { metricDimension, metricNamespace } from '../../lib/observability/metrics.ts'
import type { Monitored } from './alarm-row.ts'

/** The period of every metric that has an alarm. */
export const period = Duration.minutes(5)

/** The metrics of a row that has a single alarm. */
export const single = (metric: IMetric) => ({ '': metric })

/** The sum of several metrics. A metric without data in a period counts as 0, because the others count all the same. */
export function sum(metrics: readonly IMetric[], label: string): IMetric {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]))
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ')
  return new MathExpression({ expression, usingMetrics, label, period })
}

/**
 * The percentage of all requests to the API that `part` counts, or 0 if it counts fewer than `least` in a period, so
 * that a single request at night is not 100 %.
 */
export const percentage = (part: IMetric, least: number, label: string, { api }: Monitored) =>
  new MathExpression({
    expression: `IF(FILL(part, 0) >= ${least}, 100 * FILL(part, 0) / requests, 0)`,
    usingMetrics: { part, requests: api.api.metricCount({ statistic: Stats.SUM, period }) },
    label,
    period,
  })

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

/** A metric of Lambda for all functions of the account in the Region. */
export const accountMetric = (metricName: string, statistic: string): IMetric =>
  new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period })

/** CloudWatch accepts this many metrics in the expression of an alarm. */
const metricsOfAlarm = 10

/**
 * The largest of some metrics, for alarms on at most ten of them each, whose names end with a number if there are
 * several. A metric without data counts as 0.
 */
export function largest(metrics: readonly IMetric[], label: string): Record<string, IMetric> {
  const alarms = Math.ceil(metrics.length / metricsOfAlarm)
  const parts = Array.from({ length: alarms }, (_, index) =>
    metrics.slice(index * metricsOfAlarm, (index + 1) * metricsOfAlarm),
  )
  return Object.fromEntries(
    parts.map((part, index) => [alarms > 1 ? `${index + 1}` : '', largestOf(part, label)]),
  )
}

function largestOf(metrics: readonly IMetric[], label: string): IMetric {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]))
  const filled = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`)
  return new MathExpression({
    expression: `MAX([${filled.join(', ')}])`,
    usingMetrics,
    label,
    period,
  })
}
