import { Duration } from 'aws-cdk-lib'
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { type OperationId, operationIds, routes } from '../../lib/contract/routes.ts'
import { metricDimension, metricNamespace } from '../../lib/observability/metrics.ts'

/** The period of every metric that has an alarm. */
export const period = Duration.minutes(5)

/** The metrics of a row that has a single alarm. */
export const single = (metric: IMetric) => ({ '': metric })

/** The sum of several metrics. */
export function sum(metrics: readonly IMetric[], label: string): IMetric {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]))
  return new MathExpression({ expression: 'SUM(METRICS())', usingMetrics, label, period })
}

/** A metric that a function writes into its log lines. */
export const loggedMetric = (metricName: string, { functionName }: IFunction): IMetric =>
  new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { [metricDimension]: functionName },
    statistic: Stats.SUM,
    period,
  })

/** Whether an operation calls the indexer. */
export const callsIndexer = (id: OperationId): boolean =>
  (routes[id].problems as readonly string[]).includes('indexer_unavailable')

/** The operations that call the indexer. */
export const indexerOperations = operationIds.filter(callsIndexer)
