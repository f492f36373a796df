import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { AlarmRow } from './alarm-row.ts'
import { query } from './logs-insights.ts'
import { period, single } from './metrics.ts'

/** The percentage of responses that are server errors. */
export const serverErrors: AlarmRow = {
  name: 'server-errors',
  description:
    'The percentage of responses with a 5xx status, 0 if there are fewer than 5 such responses.',
  threshold: 1,
  unit: '%',
  periods: 2,
  firstSteps: [
    `Group the failures, in the log groups of the functions:\n${query(
      'filter status >= 500',
      'stats count() by operation, code, reason',
    )}`,
    'If there are no such lines, the function was throttled or did not run to its end. See [function-throttles](#function-throttles) and the access log.',
  ],
  resolution: [
    '`indexer_unavailable`: continue with [indexer-failures](#indexer-failures).',
    '`service_unavailable`: the reason names the AWS service. See the health page of that service, [table-throttles](#table-throttles) and [kms-failures](#kms-failures).',
    `\`internal_error\`: a defect in the code. The line with the same \`requestId\` and the field \`defect\` has the stack trace:\n${query(
      'filter ispresent(defect)',
      'display requestId, defect',
    )}\nIf the errors began with an update, [roll back](operations.md#rolling-back).`,
  ],
  metrics: ({ api }) =>
    single(
      new MathExpression({
        expression: 'IF(errors >= 5, 100 * errors / requests, 0)',
        usingMetrics: {
          errors: api.api.metricServerError({ statistic: Stats.SUM, period }),
          requests: api.api.metricCount({ statistic: Stats.SUM, period }),
        },
        label: '5xx, % of answers',
        period,
      }),
    ),
}

/** The requests that API Gateway throttled. */
export const throttledRequests: AlarmRow = {
  name: 'throttled-requests',
  description:
    'The number of requests to which API Gateway responded with 429 by itself. The limits of the service respond with 429 `rate_limited`, which is not counted here.',
  threshold: 100,
  unit: 'requests',
  periods: 2,
  firstSteps: [
    `Group the throttled requests by route and address, in the access log:\n${query(
      'filter status = 429 and functionMilliseconds = "-"',
      'stats count() by route, sourceIp',
    )}`,
    'Behind [CloudFront](operations.md#cloudfront), `sourceIp` is an address of CloudFront. Read the addresses of callers in the sampled requests of the web ACL.',
  ],
  resolution: [
    'Requests from one address: a game that sends requests in a loop, or an attack. Talk to the studio, or put [CloudFront with a web ACL](operations.md#cloudfront) in front of the API.',
    'Requests from many addresses: the service has grown. Raise the [quotas](operations.md#quotas), then `accountConcurrency`, from which the stack calculates its [throttles](operations.md#throttles). Deploy.',
  ],
  metrics: ({ api }) => single(api.metricThrottledRequests(period)),
}
