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

/** API Gateway writes a hyphen if it did not call a function. */
const notCalled = (comparison: '=' | '!='): JsonPattern =>
  FilterPattern.stringValue('$.functionMilliseconds', comparison, '-')

/** What is counted in the access log: responses with a status and a further condition. */
const counts = {
  /** The requests to which API Gateway responded with 429. */
  throttledRequests: { status: '429', condition: notCalled('='), label: '429 of API Gateway' },
  /** The requests that exceeded a limit of the service (D47), to which a function responded with 429. */
  limitedRequests: { status: '429', condition: notCalled('!='), label: '429 of a limit' },
  /** The requests whose API key, user JWT or player token a function rejected. */
  rejectedCredentials: { status: '401', condition: notCalled('!='), label: '401' },
  /** The 5xx that no function has answered: time-outs, crashes, and calls that are not permitted. */
  unansweredRequests: {
    status: '5*',
    condition: FilterPattern.stringValue('$.functionError', '!=', '-'),
    label: '5xx without an answer of a function',
  },
} as const

type Counted = keyof typeof counts

/** The access log of the API, and the metrics that are counted in it. */
export class AccessLog extends LogGroup {
  private readonly filters = new Map<string, MetricFilter>()

  constructor(scope: Construct, id: string, settings: LogSettings) {
    super(scope, id, {
      logGroupName: vendedName(Stack.of(scope)),
      ...logGroupProps(settings, accessLogName),
    })
    this.sayIfInPolicy(settings)
    for (const [name, { status, condition }] of Object.entries(counts)) {
      const filter = this.addMetricFilter(`${name[0]?.toUpperCase()}${name.slice(1)}`, {
        filterPattern: FilterPattern.all(
          FilterPattern.stringValue('$.status', '=', status),
          condition,
        ),
        metricNamespace,
        metricName: `${Stack.of(this).stackName}-${name}`,
        defaultValue: 0,
      })
      this.filters.set(name, filter)
    }
  }

  /** The number of requests of a kind in each period. */
  metricOf(name: Counted, period: Duration): IMetric {
    const filter = this.filters.get(name) as MetricFilter
    return filter.metric({ statistic: Stats.SUM, period, label: counts[name].label })
  }

  private sayIfInPolicy(settings: LogSettings): void {
    if (accessLogInPolicy(settings) === undefined) return
    Annotations.of(this).addInfo(
      `logGroupPrefix: ${settings.logGroupPrefix} is outside ${vendedPrefix}, so the deployment adds the access log to a resource policy of CloudWatch Logs that all log groups of the account share. It has at most 5,120 characters, and a deployment that exceeds them fails.`,
    )
  }
}

/** A name that needs no permission of its own. A removed stack of the same name may have kept its log (D84). */
function vendedName({ stackId, stackName }: Stack): string {
  const uniquePart = Fn.select(2, Fn.split('/', stackId))
  return `${vendedPrefix}${stackName}-${Fn.select(0, Fn.split('-', uniquePart))}/${accessLogName}`
}
