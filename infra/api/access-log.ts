import { Annotations, type Duration, Fn, Stack } from 'aws-cdk-lib'
import { type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type JsonPattern, LogGroup, type MetricFilter } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { metricNamespace } from '../../lib/observability/metrics.ts'
import {
  accessLogInPolicy,
  accessLogName,
  type LogSettings,
  logGroupProps,
  vendedPrefix,
} from '../settings/log-groups.ts'

/** A line of the access log. It never contains the requested path, the query string or a header (D5). */
export const accessLogLine = {
  requestId: '$context.requestId',
  lambdaRequestId: '$context.awsEndpointRequestId',
  time: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  route: '$context.routeKey',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  latencyMilliseconds: '$context.responseLatency',
  functionMilliseconds: '$context.integrationLatency',
  error: '$context.error.message',
  functionError: '$context.integrationErrorMessage',
}

/** The access log of the API, and the metrics that are counted in it. */
export class AccessLog extends LogGroup {
  private readonly throttled: MetricFilter
  private readonly limited: MetricFilter
  private readonly rejected: MetricFilter
  private readonly unanswered: MetricFilter

  constructor(scope: Construct, id: string, settings: LogSettings) {
    super(scope, id, {
      logGroupName: vendedName(Stack.of(scope)),
      ...logGroupProps(settings, accessLogName),
    })
    this.sayIfInPolicy(settings)
    this.throttled = this.addCount('throttledRequests', '429', notCalled('='))
    this.limited = this.addCount('limitedRequests', '429', notCalled('!='))
    this.rejected = this.addCount('rejectedCredentials', '401', notCalled('!='))
    const hasFailed = FilterPattern.stringValue('$.functionError', '!=', '-')
    this.unanswered = this.addCount('unansweredRequests', '5*', hasFailed)
  }

  /** The number of requests to which API Gateway responded with 429. */
  metricThrottledRequests(period: Duration): IMetric {
    return this.throttled.metric({ statistic: Stats.SUM, period, label: '429 of API Gateway' })
  }

  /** The number of requests that exceeded a limit of the service (D47), to which a function responded with 429. */
  metricLimitedRequests(period: Duration): IMetric {
    return this.limited.metric({ statistic: Stats.SUM, period, label: '429 of a limit' })
  }

  /** The number of requests whose API key, user JWT or player token a function rejected. */
  metricRejectedCredentials(period: Duration): IMetric {
    return this.rejected.metric({ statistic: Stats.SUM, period, label: '401' })
  }

  /** The number of 5xx that no function has answered: time-outs, crashes, and calls that are not permitted. */
  metricUnansweredRequests(period: Duration): IMetric {
    const label = '5xx without an answer of a function'
    return this.unanswered.metric({ statistic: Stats.SUM, period, label })
  }

  /** Counts the responses with a status and a further condition. */
  private addCount(name: string, status: string, condition: JsonPattern): MetricFilter {
    return this.addMetricFilter(`${name[0]?.toUpperCase()}${name.slice(1)}`, {
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.status', '=', status),
        condition,
      ),
      metricNamespace,
      metricName: `${Stack.of(this).stackName}-${name}`,
      defaultValue: 0,
    })
  }

  private sayIfInPolicy(settings: LogSettings): void {
    if (accessLogInPolicy(settings) === undefined) return
    Annotations.of(this).addInfo(
      `logGroupPrefix: ${settings.logGroupPrefix} is outside ${vendedPrefix}, so the deployment adds the access log to a resource policy of CloudWatch Logs that all log groups of the account share. It has at most 5,120 characters, and a deployment that exceeds them fails.`,
    )
  }
}

/** API Gateway writes a hyphen if it did not call a function. */
const notCalled = (comparison: '=' | '!='): JsonPattern =>
  FilterPattern.stringValue('$.functionMilliseconds', comparison, '-')

/**
 * A name that needs no permission of its own, and that no stack of the same name had before: a removed stack may have
 * kept its log (D84).
 */
function vendedName({ stackId, stackName }: Stack): string {
  const uniquePart = Fn.select(2, Fn.split('/', stackId))
  return `${vendedPrefix}${stackName}-${Fn.select(0, Fn.split('-', uniquePart))}/${accessLogName}`
}
